package dev.sheaf.server.input;

import dev.sheaf.model.Problem;
import java.util.UUID;
import java.util.function.Function;

/// Ids as they stand in requests.
public final class IdText {
    private IdText() {}

    /// A parser of ids.
    ///
    /// @param owner what has the id, as an error names it
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
