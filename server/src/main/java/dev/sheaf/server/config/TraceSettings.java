package dev.sheaf.server.config;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads the settings of the collector of traces.
public final class TraceSettings {
    private static final String PATH = "/v1/traces"; // OTLP 1.9, section OTLP/HTTP Request
    private static final Pattern HEADER =
            Pattern.compile("\\s*([A-Za-z0-9-]{1,100})\\s*=\\s*([!-~]([ -~]*[!-~])?)\\s*");
    /// Headers that the client sets itself. It would fail at each request with one of these.
    private static final Set<String> OWN = Set.of(
            "connection",
            "content-encoding",
            "content-length",
            "content-type",
            "expect",
            "host",
            "transfer-encoding",
            "upgrade");

    private TraceSettings() {}

    /// Returns the address for traces. A base address gets the usual path.
    ///
    /// @throws IllegalArgumentException if it is not a plain http(s) address
    public static URI address(String text) {
        var uri = URI.create(text);
        boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!web
                || uri.getHost() == null
                || uri.getRawUserInfo() != null
                || uri.getRawQuery() != null
                || uri.getRawFragment() != null) {
            throw new IllegalArgumentException("not an http(s) address");
        }
        return uri.getRawPath().isEmpty() || uri.getRawPath().equals("/") ? uri.resolve(PATH) : uri;
    }

    /// Returns the headers by their names.
    ///
    /// @param text pairs of `name=value`, separated by commas
    /// @throws IllegalArgumentException if a pair is not one, or names a header that the client sets
    public static Map<String, String> headers(String text) {
        var headers = new LinkedHashMap<String, String>();
        for (String pair : text.isBlank() ? new String[0] : text.split(",", -1)) {
            var matcher = HEADER.matcher(pair);
            if (!matcher.matches() || OWN.contains(matcher.group(1).toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException("not a header");
            }
            headers.put(matcher.group(1), matcher.group(2));
        }
        return headers;
    }
}
