package dev.sheaf.model.text;

import java.util.EnumSet;
import java.util.Optional;
import java.util.stream.Collectors;

/// Converts between constants of an enum and their names on the wire, which their `toString` returns.
public final class WireWords {
    private WireWords() {}

    /// Returns the constant with that name; empty for an unknown name.
    public static <E extends Enum<E>> Optional<E> find(Class<E> kind, String word) {
        return EnumSet.allOf(kind).stream()
                .filter(constant -> constant.toString().equals(word))
                .findFirst();
    }

    /// Returns an error message for an unknown name. It lists the known names.
    public static <E extends Enum<E>> String oneOf(Class<E> kind) {
        return EnumSet.allOf(kind).stream()
                .map(Enum::toString)
                .collect(Collectors.joining(", ", "must be one of ", ""));
    }
}
