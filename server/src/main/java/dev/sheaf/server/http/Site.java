package dev.sheaf.server.http;

import java.util.Optional;
import java.util.regex.Pattern;

/// Where the service is reached.
///
/// @param publicUrl the configured address without a trailing slash; empty: each caller is answered with the host
/// it used
/// @param fallback `host:port` for a request whose Host header is missing or no host
public record Site(Optional<String> publicUrl, String fallback) {
    private static final Pattern HOST =
            Pattern.compile("(?:[A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(?::\\d{1,5})?");

    /// An address as it stands in a URL: that of IPv6 in brackets (RFC 3986, section 3.2.2).
    public static String host(String address) {
        return address.indexOf(':') < 0 ? address : "[" + address + "]";
    }

    /// Whether the configured address is one of TLS.
    boolean isSecure() {
        return publicUrl.isPresent() && publicUrl.get().startsWith("https:");
    }

    /// Whether the text is `host[:port]` and nothing else.
    static boolean isHost(String text) {
        return HOST.matcher(text).matches();
    }

    String baseUrl(String host, boolean secure) {
        return publicUrl.orElseGet(() -> (secure ? "https://" : "http://") + (isHost(host) ? host : fallback));
    }
}
