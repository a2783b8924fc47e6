package dev.sheaf.client.credentials;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.Json;
import dev.sheaf.model.key.Secret;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A person's session at a registry, as this machine holds it. It lives by its refresh token, which is another one
/// after each use: an older one that comes again ends the session (RFC 9700, section 4.14.2).
///
/// @param accessEndsAt by this machine's clock
/// @param id names the session on this machine, from its beginning to its end; no secret
public record Session(Secret refresh, Secret access, Instant accessEndsAt, String id) {
    /// A token that ends within this is renewed, so that none ends on its way.
    private static final Duration MARGIN = Duration.ofSeconds(60);

    private static final long LONGEST_SECONDS = Duration.ofDays(1).toSeconds();

    /// As it is stored.
    ///
    /// @param accessEndsAt seconds of the Unix epoch
    private record Stored(
            @Nullable String refreshToken,
            @Nullable String accessToken,
            long accessEndsAt,
            @Nullable String id) {}

    boolean isFresh(Instant now) {
        return now.isBefore(accessEndsAt.minus(MARGIN));
    }

    /// @param seconds for which the access token works, as the registry says
    static Session begun(@Nullable String refresh, @Nullable String access, long seconds, Instant now) {
        return new Session(
                sendable(Json.present(refresh, "refresh_token")),
                sendable(Json.present(access, "access_token")),
                now.plusSeconds(Math.clamp(seconds, 0, LONGEST_SECONDS)),
                UUID.randomUUID().toString());
    }

    /// The same, as the renewal of an earlier state of the session.
    Session continuing(Session before) {
        return new Session(refresh, access, accessEndsAt, before.id());
    }

    private static Secret sendable(String token) {
        var secret = Secret.of(token);
        if (!Credentials.isSendable(secret)) {
            throw new SheafException.Server("the registry's answer holds a token with characters that no token has");
        }
        return secret;
    }

    Secret text() {
        var stored = new Stored(refresh.expose(), access.expose(), accessEndsAt.getEpochSecond(), id);
        return Secret.of(new String(Json.write(stored), StandardCharsets.UTF_8));
    }

    /// Reads what [#text] wrote.
    ///
    /// @throws SheafException.Local for anything else
    static Session read(Secret text, String place) {
        try {
            var stored = Json.read(text.expose().getBytes(StandardCharsets.UTF_8), Stored.class);
            return new Session(
                    sendable(Json.present(stored.refreshToken(), "refreshToken")),
                    sendable(Json.present(stored.accessToken(), "accessToken")),
                    Instant.ofEpochSecond(stored.accessEndsAt()),
                    Json.present(stored.id(), "id"));
        } catch (SheafException | DateTimeException e) {
            throw new SheafException.Local("what is in " + place + " is no session; log in again", null);
        }
    }
}
