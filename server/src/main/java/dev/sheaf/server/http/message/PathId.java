package dev.sheaf.server.http.message;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import java.util.UUID;
import java.util.function.Function;

/// An id that stands in a path.
public final class PathId {
    private PathId() {}

    /// Reads one; nothing has an id that is none.
    ///
    /// @param what would have it, with `%s` for its text, as a not-found names it
    public static Function<String, UUID> of(String what) {
        return text -> {
            try {
                return UUID.fromString(text);
            } catch (IllegalArgumentException e) {
                throw new Problem.NotFound(what.formatted(Quoted.of(text))).raise();
            }
        };
    }
}
