package dev.sheaf.server.console;

import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.CookieHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/// A message that one page leaves for the next one: it waits in a cookie that scripts cannot read, and is
/// removed when it is shown.
///
/// @param age how long the message waits
/// @param most the maximum length in characters
record FlashMessage(String cookie, Duration age, CookieHeaders.Along along, int most) {
    /// A notice at the top of the page.
    static final FlashMessage NOTICE =
            new FlashMessage("sheaf_notice", Duration.ofMinutes(2), CookieHeaders.Along.LAX, 1_000);

    /// A secret, such as the secret of a new webhook.
    static final FlashMessage SECRET =
            new FlashMessage("sheaf_once", Duration.ofMinutes(1), CookieHeaders.Along.STRICT, 400);

    /// Returns the cookie line that stores it.
    ///
    /// @param place the path below which pages show it
    String store(Call call, String text, String place) {
        String cut = text.length() > most ? text.substring(0, most) : text;
        String value = Base64.getUrlEncoder().withoutPadding().encodeToString(cut.getBytes(StandardCharsets.UTF_8));
        return CookieHeaders.set(call, cookie, value, place, age, along);
    }

    /// Returns the cookie line that removes it.
    String remove(Call call, String place) {
        return CookieHeaders.set(call, cookie, "", place, Duration.ZERO, along);
    }

    boolean isThere(Call call) {
        return CookieHeaders.read(call, cookie).isPresent();
    }

    /// Returns the stored text, or empty if there is none or it is not valid.
    Optional<String> text(Call call) {
        return CookieHeaders.read(call, cookie)
                .flatMap(FlashMessage::decoded)
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
