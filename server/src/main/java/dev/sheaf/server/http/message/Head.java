package dev.sheaf.server.http.message;

import io.helidon.http.HeaderName;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// What stands before the body of a request.
interface Head {
    /// As it was sent.
    String methodName();

    /// The path as it was sent, still encoded.
    String path();

    /// The query as it was sent, still encoded; empty where there is none.
    String query();

    Optional<String> first(HeaderName name);

    /// All values of a header, over repeated lines, in order; not split at commas.
    List<String> all(HeaderName name);

    /// The names of all headers, in lower case.
    Set<String> names();

    /// The announced length of the body, empty where it is chunked.
    OptionalLong contentLength();
}
