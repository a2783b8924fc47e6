package dev.sheaf.server.http.message;

import dev.sheaf.server.http.server.RequestTarget;
import dev.sheaf.server.http.server.Timeouts;
import dev.sheaf.server.http.wire.Http1Bytes;
import io.helidon.http.HeaderName;
import io.helidon.webserver.http.ServerRequest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/// The head of a request from the network.
record WireHead(ServerRequest request, Timeouts.Work work) implements Head {
    @Override
    public String methodName() {
        String kept = work.wire() instanceof Http1Bytes wire ? wire.method() : null;
        return kept == null ? request.prologue().method().text() : kept;
    }

    @Override
    public String path() {
        String target = RequestTarget.of(request);
        return work.wire() == null && !target.startsWith("/") ? target : RequestTarget.path(target);
    }

    @Override
    public String query() {
        return request.prologue().query().rawValue();
    }

    @Override
    public Optional<String> first(HeaderName name) {
        return request.headers().first(name);
    }

    @Override
    public List<String> all(HeaderName name) {
        return request.headers().contains(name) ? request.headers().get(name).allValues() : List.of();
    }

    @Override
    public Set<String> names() {
        return request.headers().stream()
                .map(header -> header.headerName().lowerCase())
                .collect(Collectors.toSet());
    }

    @Override
    public OptionalLong contentLength() {
        return request.headers().contentLength();
    }
}
