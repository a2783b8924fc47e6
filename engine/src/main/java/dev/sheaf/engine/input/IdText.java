package dev.sheaf.engine.input;

import dev.sheaf.model.Problem;
import java.util.UUID;
import java.util.function.Function;

/// Reads ids in requests.
public final class IdText {
    private IdText() {}

    /// Returns a parser of ids.
    ///
    /// @param owner the kind of resource that has the id, as errors name it
    public static Function<String, UUID> of(String owner) {
        return text -> {
            try {
                return UUID.fromString(text);
            } catch (IllegalArgumentException e) {
                throw Problem.invalid("format", "must be the id of " + owner);
            }
        };
    }
}
