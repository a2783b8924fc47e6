package dev.sheaf.server.http.message;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import java.util.UUID;
import java.util.function.Function;

/// An id in a path.
public final class PathId {
    private PathId() {}

    /// Returns a parser of ids. A malformed id is answered like an unknown one.
    ///
    /// @param what names the resource in the not-found error, with `%s` for the id
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
