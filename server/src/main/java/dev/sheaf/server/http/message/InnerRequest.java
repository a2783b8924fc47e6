package dev.sheaf.server.http.message;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// A request that a page makes to the API within the process, on behalf of its viewer.
///
/// @param path encoded as it would be sent
/// @param query encoded as it would be sent; empty if there is none
/// @param headers values by header name in lower case
/// @param body the bytes, which must not change afterwards
public record InnerRequest(Method method, String path, String query, Map<String, String> headers, byte[] body)
        implements Head {
    private static final byte[] NOTHING = {};

    public InnerRequest {
        headers = Map.copyOf(headers);
    }

    public static InnerRequest get(String path, String query) {
        return new InnerRequest(Method.GET, path, query, Map.of("accept", Json.TYPE), NOTHING);
    }

    /// Returns the same request with one more header.
    ///
    /// @param name in lower case
    public InnerRequest with(String name, String value) {
        var more = new HashMap<>(headers);
        more.put(name, value);
        return new InnerRequest(method, path, query, more, body);
    }

    @Override
    public String methodName() {
        return method.name();
    }

    @Override
    public Optional<String> first(String name) {
        return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }

    @Override
    public List<String> all(String name) {
        return first(name).stream().toList();
    }

    @Override
    public Set<String> names() {
        return headers.keySet();
    }

    @Override
    public OptionalLong contentLength() {
        return OptionalLong.of(body.length);
    }
}
