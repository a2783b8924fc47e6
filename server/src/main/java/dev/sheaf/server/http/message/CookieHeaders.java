package dev.sheaf.server.http.message;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/// Cookies for this server alone (RFC 6265): HttpOnly, and Secure if the server is reached over https.
public final class CookieHeaders {
    private CookieHeaders() {}

    /// The requests with which a browser sends the cookie.
    public enum Along {
        /// Only requests from pages of this server.
        STRICT("Strict"),
        /// Also links from other sites that a person follows.
        LAX("Lax");

        private final String word;

        Along(String word) {
            this.word = word;
        }
    }

    /// Returns the value of a cookie. Empty if several cookies have that name and different values.
    public static Optional<String> read(Call call, String name) {
        var values = call.headers("Cookie").stream()
                .flatMap(line -> Arrays.stream(line.split(";")))
                .map(String::strip)
                .filter(pair -> pair.startsWith(name + "="))
                .map(pair -> pair.substring(name.length() + 1))
                .distinct()
                .toList();
        return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
    }

    /// Returns the value of a Set-Cookie header.
    ///
    /// @param path the path under which the cookie is sent
    /// @param age its lifetime in whole seconds; zero removes it
    public static String set(Call call, String name, String value, String path, Duration age, Along along) {
        String secure = call.baseUrl().startsWith("https:") ? "; Secure" : "";
        return name + "=" + value + "; Path=" + path + "; Max-Age=" + Math.max(0, age.toSeconds())
                + "; HttpOnly; SameSite=" + along.word + secure;
    }
}
