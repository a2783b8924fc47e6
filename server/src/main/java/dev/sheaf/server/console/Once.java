package dev.sheaf.server.console;

import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Cookies;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/// What one page leaves for the next one to show: it waits in a cookie that no script reads, and goes when it is shown.
///
/// @param age for how long it waits
/// @param most characters that are left
record Once(String cookie, Duration age, Cookies.Along along, int most) {
    /// Words at the top of a page.
    static final Once NOTICE = new Once("sheaf_notice", Duration.ofMinutes(2), Cookies.Along.LAX, 1_000);

    /// A secret, such as that of a new webhook.
    static final Once SECRET = new Once("sheaf_once", Duration.ofMinutes(1), Cookies.Along.STRICT, 400);

    /// The line that leaves it.
    ///
    /// @param place path below which pages show it
    String left(Call call, String text, String place) {
        String cut = text.length() > most ? text.substring(0, most) : text;
        String value = Base64.getUrlEncoder().withoutPadding().encodeToString(cut.getBytes(StandardCharsets.UTF_8));
        return Cookies.set(call, cookie, value, place, age, along);
    }

    /// The line that takes it away.
    String gone(Call call, String place) {
        return Cookies.set(call, cookie, "", place, Duration.ZERO, along);
    }

    boolean isThere(Call call) {
        return Cookies.read(call, cookie).isPresent();
    }

    /// Empty: there is none, or nothing that was left so.
    Optional<String> text(Call call) {
        return Cookies.read(call, cookie)
                .flatMap(Once::decoded)
                .filter(text -> !text.isEmpty() && text.length() <= most);
    }

    private static Optional<String> decoded(String value) {
        try {
            return Optional.of(new String(Base64.getUrlDecoder().decode(value), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
