package dev.sheaf.client.credentials;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.api.SheafException.Answer;
import dev.sheaf.client.http.Call;
import dev.sheaf.client.http.Failures;
import dev.sheaf.client.http.Transport;
import dev.sheaf.client.io.Json;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a registry's OAuth endpoints do for the session of a person (RFC 8628, RFC 6749 section 6, RFC 7009). They
/// are at fixed paths: whatever addresses the registry's answers name, no code and no token goes to another host.
final class TokenEndpoint implements AutoCloseable {
    private static final String DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
    private static final String CLIENT = "sheaf";
    private static final int LONGEST = 64 << 10;

    /// Short enough to ask for an answer that is lost once more in the time that registries allow for that.
    private static final Duration REFRESH_PATIENCE = Duration.ofSeconds(4);

    private final Transport transport;
    private final InstantSource clock;

    /// @param transport without a credential; closed with this
    TokenEndpoint(Transport transport, InstantSource clock) {
        this.transport = transport;
        this.clock = clock;
    }

    private record Metadata(
            @JsonProperty("grant_types_supported") @Nullable List<String> grantTypes) {}

    /// Whether a device can be let in.
    boolean offersDeviceGrant() {
        try {
            var call = Call.get(transport.at("/.well-known/oauth-authorization-server"));
            var grantTypes = transport.json(call, Metadata.class).grantTypes();
            return grantTypes != null && grantTypes.contains(DEVICE_GRANT);
        } catch (SheafException.NotFound e) {
            return false; // an older registry
        }
    }

    /// RFC 8628, section 3.2.
    record Device(
            @JsonProperty("device_code") @Nullable String deviceCode,
            @JsonProperty("user_code") @Nullable String userCode,
            @JsonProperty("verification_uri") @Nullable String place,

            @JsonProperty("verification_uri_complete") @Nullable
            String placeWithCode,

            @JsonProperty("expires_in") long expiresIn,
            @Nullable Long interval) {}

    Device begin(Scope scope) {
        var body = form("/v1/oauth/device_authorization", "client_id", CLIENT, "scope", scope.toString());
        return transport.json(body.once(), Device.class);
    }

    /// A session, or why there is none (RFC 6749, section 5.2).
    sealed interface Outcome {
        record Begun(Session session) implements Outcome {}

        /// @param error such as `authorization_pending`
        record Refused(String error, String description) implements Outcome {
            SheafException failure() {
                return new SheafException.Unauthenticated(description, new Answer(400, error, null, null));
            }
        }
    }

    private record Token(
            @JsonProperty("access_token") @Nullable String access,
            @JsonProperty("refresh_token") @Nullable String refresh,
            @JsonProperty("expires_in") long expiresIn,
            @Nullable String error,
            @JsonProperty("error_description") @Nullable String description) {}

    /// Asks once whether somebody has decided.
    Outcome poll(Secret deviceCode) {
        var call = form("/v1/oauth/token", "grant_type", DEVICE_GRANT, "device_code", deviceCode.expose());
        return outcome(transport.attemptBytes(call.expecting(200, 400), LONGEST));
    }

    /// The session that follows. An answer that is lost is asked for again at once, which a registry allows for ten
    /// seconds.
    Outcome refresh(Secret token) {
        var call = form("/v1/oauth/token", "grant_type", "refresh_token", "refresh_token", token.expose());
        return outcome(transport.bytes(call.expecting(200, 400).answeredWithin(REFRESH_PATIENCE), LONGEST));
    }

    private Outcome outcome(byte[] body) {
        var token = Json.read(body, Token.class);
        String error = token.error();
        if (error != null) {
            String description = token.description() == null ? error : token.description();
            return new Outcome.Refused(Failures.showable(error), Failures.showable(description));
        }
        return new Outcome.Begun(Session.begun(token.refresh(), token.access(), token.expiresIn(), clock.instant()));
    }

    /// Ends the session of a refresh token.
    void revoke(Secret token) {
        transport.head(form("/v1/oauth/revoke", "token", token.expose()));
    }

    private Call form(String path, String... fields) {
        return Call.of("POST", transport.at(path)).sendingForm(fields);
    }

    @Override
    public void close() {
        transport.close();
    }
}
