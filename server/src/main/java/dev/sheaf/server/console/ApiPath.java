package dev.sheaf.server.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Paths and queries with encoded values.
public final class ApiPath {
    private final String path;
    private final List<String> query = new ArrayList<>();

    private ApiPath(String path) {
        this.path = path;
    }

    /// Returns a path from a pattern; each `{}` is replaced by a value, as one segment.
    public static ApiPath of(String pattern, Object... values) {
        var path = new StringBuilder();
        int from = 0;
        for (Object value : values) {
            int place = pattern.indexOf("{}", from);
            path.append(pattern, from, place).append(encode(value.toString()));
            from = place + 2;
        }
        return new ApiPath(path.append(pattern.substring(from)).toString());
    }

    /// Returns the path with one more query parameter; unchanged if the value is null or empty.
    public ApiPath with(String name, @Nullable Object value) {
        if (value != null && !value.toString().isEmpty()) {
            query.add(encode(name) + "=" + encode(value.toString()));
        }
        return this;
    }

    String path() {
        return path;
    }

    String query() {
        return String.join("&", query);
    }

    /// Returns the path as it appears in a link.
    @Override
    public String toString() {
        return query.isEmpty() ? path : path + "?" + query();
    }

    /// Returns a percent-encoded segment of a path or value in a query (RFC 3986, section 2.1).
    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// Returns the encoded path of a file; its slashes stay.
    public static String encodeFile(String path) {
        return encode(path).replace("%2F", "/");
    }
}
