package dev.sheaf.server.http.message;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/// Cookies that only this service reads and no script can (RFC 6265): HttpOnly, and Secure where the service is
/// reached by https.
public final class Cookies {
    private Cookies() {}

    /// When a browser sends a cookie along.
    public enum Along {
        /// Only with requests that pages of this service make.
        STRICT("Strict"),
        /// Also where somebody follows a link from elsewhere.
        LAX("Lax");

        private final String word;

        Along(String word) {
            this.word = word;
        }
    }

    /// The value of a cookie that was sent; of several of that name, none counts.
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

    /// The value of a Set-Cookie header.
    ///
    /// @param path under which it is sent along
    /// @param age for how long, in whole seconds; zero: it is removed
    public static String set(Call call, String name, String value, String path, Duration age, Along along) {
        String secure = call.baseUrl().startsWith("https:") ? "; Secure" : "";
        return name + "=" + value + "; Path=" + path + "; Max-Age=" + Math.max(0, age.toSeconds())
                + "; HttpOnly; SameSite=" + along.word + secure;
    }
}
