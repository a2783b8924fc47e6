package dev.sheaf.client.credentials;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.key.Secret;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A person's session at a registry, as stored on this machine. Each use of the refresh token replaces it.
/// Using an old refresh token again ends the session (RFC 9700, section 4.14.2).
///
/// @param accessEndsAt when the access token expires, by this machine's clock
/// @param id identifies the session on this machine as long as it exists; not secret
public record Session(Secret refresh, Secret access, Instant accessEndsAt, String id) {
    /// A token is renewed if less than this time is left, so that it does not expire on the way.
    private static final Duration MARGIN = Duration.ofSeconds(60);

    private static final long LONGEST_SECONDS = Duration.ofDays(1).toSeconds();

    /// The stored form.
    ///
    /// @param accessEndsAt the time in seconds since the Unix epoch
    private record Stored(
            @Nullable String refreshToken,
            @Nullable String accessToken,
            long accessEndsAt,
            @Nullable String id) {}

    boolean isFresh(Instant now) {
        return now.isBefore(accessEndsAt.minus(MARGIN));
    }

    /// @param seconds the lifetime of the access token that the registry reports
    static Session begun(@Nullable String refresh, @Nullable String access, long seconds, Instant now) {
        return new Session(
                sendable(WireJson.present(refresh, "refresh_token")),
                sendable(WireJson.present(access, "access_token")),
                now.plusSeconds(Math.clamp(seconds, 0, LONGEST_SECONDS)),
                UUID.randomUUID().toString());
    }

    /// Returns a copy with the id of an earlier state of the same session.
    Session withIdOf(Session before) {
        return new Session(refresh, access, accessEndsAt, before.id());
    }

    private static Secret sendable(String token) {
        var secret = Secret.of(token);
        if (!Credentials.isSendable(secret)) {
            throw new SheafException.Server("the registry's answer contains a token with invalid characters");
        }
        return secret;
    }

    Secret text() {
        var stored = new Stored(refresh.expose(), access.expose(), accessEndsAt.getEpochSecond(), id);
        return Secret.of(new String(WireJson.write(stored), StandardCharsets.UTF_8));
    }

    /// Parses the result of [#text].
    ///
    /// @throws SheafException.Local if it is malformed
    static Session read(Secret text, String place) {
        try {
            var stored = WireJson.read(text.expose().getBytes(StandardCharsets.UTF_8), Stored.class);
            return new Session(
                    sendable(WireJson.present(stored.refreshToken(), "refreshToken")),
                    sendable(WireJson.present(stored.accessToken(), "accessToken")),
                    Instant.ofEpochSecond(stored.accessEndsAt()),
                    WireJson.present(stored.id(), "id"));
        } catch (SheafException | DateTimeException e) {
            throw new SheafException.Local("the session in " + place + " is malformed; log in again", null);
        }
    }
}
