package dev.sheaf.model.text;

import java.util.EnumSet;
import java.util.Optional;
import java.util.stream.Collectors;

/// The words of an enum: what its constants are called on the wire, which their `toString` gives.
public final class Words {
    private Words() {}

    /// The constant of that word, or empty.
    public static <E extends Enum<E>> Optional<E> find(Class<E> kind, String word) {
        return EnumSet.allOf(kind).stream()
                .filter(constant -> constant.toString().equals(word))
                .findFirst();
    }

    /// What to say of a word that is none of them.
    public static <E extends Enum<E>> String oneOf(Class<E> kind) {
        return EnumSet.allOf(kind).stream()
                .map(Enum::toString)
                .collect(Collectors.joining(", ", "must be one of ", ""));
    }
}
