package dev.sheaf.server.http.message;

import dev.sheaf.server.http.server.HttpExchange;
import dev.sheaf.server.http.server.RequestTarget;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// The head of a request from the network.
record WireHead(HttpExchange exchange) implements RequestHead {
    @Override
    public String methodName() {
        return exchange.method();
    }

    @Override
    public String path() {
        String target = exchange.target();
        return exchange.isHttp1() || target.startsWith("/") ? RequestTarget.path(target) : target;
    }

    @Override
    public String query() {
        return exchange.query();
    }

    @Override
    public Optional<String> first(String name) {
        return exchange.header(name);
    }

    @Override
    public List<String> all(String name) {
        return exchange.headers(name);
    }

    @Override
    public Set<String> names() {
        return exchange.headerNames();
    }

    @Override
    public OptionalLong contentLength() {
        return exchange.contentLength();
    }
}
