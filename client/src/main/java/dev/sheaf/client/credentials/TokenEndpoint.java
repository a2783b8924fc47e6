package dev.sheaf.client.credentials;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.api.SheafException.Answer;
import dev.sheaf.client.http.ErrorResponses;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The OAuth endpoints of a registry for a person's session (RFC 8628, RFC 6749 section 6, RFC 7009). Their
/// paths are fixed: URLs in the registry's answers are ignored, so that codes and tokens are never sent to
/// another host.
final class TokenEndpoint implements AutoCloseable {
    private static final String DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
    private static final String EXCHANGE_GRANT = "urn:ietf:params:oauth:grant-type:token-exchange";
    private static final String ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token";
    private static final String CLIENT = "sheaf";
    private static final int LONGEST = 64 << 10;

    /// Short enough to repeat a request whose answer was lost: registries allow this for ten seconds.
    private static final Duration REFRESH_PATIENCE = Duration.ofSeconds(4);

    private final RegistryTransport transport;
    private final InstantSource clock;

    /// @param transport a transport without a credential; [#close] closes it
    TokenEndpoint(RegistryTransport transport, InstantSource clock) {
        this.transport = transport;
        this.clock = clock;
    }

    private record Metadata(
            @JsonProperty("grant_types_supported") @Nullable List<String> grantTypes) {}

    /// Returns whether the registry supports the device grant.
    boolean offersDeviceGrant() {
        try {
            var call = HttpCall.get(transport.at("/.well-known/oauth-authorization-server"));
            var grantTypes = transport.json(call, Metadata.class).grantTypes();
            return grantTypes != null && grantTypes.contains(DEVICE_GRANT);
        } catch (SheafException.NotFound e) {
            return false; // an older registry
        }
    }

    /// The device authorization response of RFC 8628, section 3.2.
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

    /// A session, or the reason for the refusal (RFC 6749, section 5.2).
    sealed interface Outcome {
        record Begun(Session session) implements Outcome {}

        /// @param error such as `authorization_pending`
        record Refused(String error, String description) implements Outcome {
            SheafException failure() {
                return new SheafException.Unauthenticated(description, new Answer(400, error, null, null, null));
            }
        }
    }

    private record Token(
            @JsonProperty("access_token") @Nullable String access,
            @JsonProperty("refresh_token") @Nullable String refresh,
            @JsonProperty("expires_in") long expiresIn,
            @Nullable String error,
            @JsonProperty("error_description") @Nullable String description) {}

    /// Asks once for the person's decision.
    Outcome poll(Secret deviceCode) {
        var call = form("/v1/oauth/token", "grant_type", DEVICE_GRANT, "device_code", deviceCode.expose());
        return outcome(transport.attemptBytes(call.expecting(200, 400), LONGEST));
    }

    /// Renews a session. If the answer is lost, the request is repeated immediately, which a registry allows
    /// for ten seconds.
    Outcome refresh(Secret token) {
        var call = form("/v1/oauth/token", "grant_type", "refresh_token", "refresh_token", token.expose());
        return outcome(transport.bytes(call.expecting(200, 400).answeredWithin(REFRESH_PATIENCE), LONGEST));
    }

    private Outcome outcome(byte[] body) {
        var token = WireJson.read(body, Token.class);
        String error = token.error();
        if (error != null) {
            String description = token.description() == null ? error : token.description();
            return new Outcome.Refused(ErrorResponses.showable(error), ErrorResponses.showable(description));
        }
        return new Outcome.Begun(Session.begun(token.refresh(), token.access(), token.expiresIn(), clock.instant()));
    }

    /// Exchanges a workflow's id_token for an access token (RFC 8693). Each id_token can be exchanged once.
    ///
    /// @param organization the organization that trusts the workflow; null if only one trusts it
    /// @throws SheafException.Unauthenticated with the reason for the refusal
    Secret exchange(Secret idToken, @Nullable String organization) {
        String[] fields = {
            "grant_type", EXCHANGE_GRANT, "subject_token", idToken.expose(), "subject_token_type", ID_TOKEN
        };
        if (organization != null) {
            fields = Arrays.copyOf(fields, fields.length + 2);
            fields[fields.length - 2] = "organization";
            fields[fields.length - 1] = organization;
        }
        var call = form("/v1/oauth/token", fields).expecting(200, 400, 401, 403).once();
        var token = WireJson.read(transport.bytes(call, LONGEST), Token.class);
        if (token.error() != null) {
            String why = token.description() == null ? token.error() : token.description();
            throw new SheafException.Unauthenticated(
                    "the registry does not accept the id_token of this workflow: " + ErrorResponses.showable(why),
                    new Answer(0, "untrusted-workflow", null, null, null));
        }
        return Secret.of(WireJson.present(token.access(), "access_token"));
    }

    /// Ends the session of a refresh token.
    void revoke(Secret token) {
        transport.head(form("/v1/oauth/revoke", "token", token.expose()));
    }

    private HttpCall form(String path, String... fields) {
        return HttpCall.of("POST", transport.at(path)).sendingForm(fields);
    }

    @Override
    public void close() {
        transport.close();
    }
}
