package dev.sheaf.server.console;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.CookieHeaders;
import dev.sheaf.server.http.routing.CallerCheck;
import dev.sheaf.server.identity.PageSessions;
import dev.sheaf.server.identity.Sessions;
import dev.sheaf.server.identity.SignInSource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;

/// The cookie of a browser's session. Over https its name binds it to this host and to all of its paths (RFC
/// 6265bis, section 4.1.3.2). Thread-safe.
public final class SessionCookie implements CallerCheck.PageSessions {
    private static final String SECURE = "__Host-sheaf";
    private static final String PLAIN = "sheaf_session";

    private final PageSessions sessions;
    private final InstantSource clock;

    public SessionCookie(PageSessions sessions, InstantSource clock) {
        this.sessions = sessions;
        this.clock = clock;
    }

    @Override
    public Optional<UUID> find(Call call) {
        return CookieHeaders.read(call, name(call)).flatMap(token -> sessions.find(visit(call), Secret.of(token)));
    }

    /// Returns the address of the browser.
    public static SignInSource visit(Call call) {
        return new SignInSource(call.from(), call.header("User-Agent").orElse(""), call.requestId());
    }

    /// Returns the cookie line that starts a session.
    public String begin(Call call, Sessions.Opened opened) {
        var age = Duration.between(clock.instant(), opened.refreshEndsAt());
        String token = sessions.token(opened.session()).expose();
        return CookieHeaders.set(call, name(call), token, "/", age, CookieHeaders.Along.LAX);
    }

    /// Returns the cookie line that ends the session.
    public static String end(Call call) {
        return CookieHeaders.set(call, name(call), "", "/", Duration.ZERO, CookieHeaders.Along.LAX);
    }

    private static String name(Call call) {
        return call.baseUrl().startsWith("https:") ? SECURE : PLAIN;
    }
}
