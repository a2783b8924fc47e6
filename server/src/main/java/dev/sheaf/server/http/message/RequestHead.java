package dev.sheaf.server.http.message;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// The head of a request: everything before its body.
interface RequestHead {
    /// Returns the method as it was sent.
    String methodName();

    /// Returns the path as it was sent, still encoded.
    String path();

    /// Returns the query as it was sent, still encoded; empty if there is none.
    String query();

    Optional<String> first(String name);

    /// Returns all values of a header from repeated lines, in order, not split at commas.
    List<String> all(String name);

    /// Returns the names of all headers, in lower case.
    Set<String> names();

    /// Returns the announced length of the body; empty if it is chunked.
    OptionalLong contentLength();
}
