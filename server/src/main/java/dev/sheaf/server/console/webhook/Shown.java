package dev.sheaf.server.console.webhook;

import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.http.message.Cookies;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/// A secret that a page shows once: it waits in a cookie that no script reads, for the one page that shows it, and
/// goes with that.
final class Shown {
    private static final String COOKIE = "sheaf_once";
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final int MOST = 400; // characters

    private Shown() {}

    /// @param place the path of the page that shows it
    static void leave(PageCall page, String secret, String place) {
        String value = Base64.getUrlEncoder().withoutPadding().encodeToString(secret.getBytes(StandardCharsets.UTF_8));
        page.cookie(Cookies.set(page.call(), COOKIE, value, place, SOON, Cookies.Along.STRICT));
    }

    /// The secret; empty: there is none, or it was shown.
    static String take(PageCall page, String place) {
        var left = Cookies.read(page.call(), COOKIE);
        if (left.isEmpty()) {
            return "";
        }
        page.cookie(Cookies.set(page.call(), COOKIE, "", place, Duration.ZERO, Cookies.Along.STRICT));
        try {
            String secret = new String(Base64.getUrlDecoder().decode(left.get()), StandardCharsets.UTF_8);
            return secret.length() <= MOST && secret.startsWith("whsec_") ? secret : "";
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
