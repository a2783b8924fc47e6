package dev.sheaf.server.identity.api.oauth;

import static dev.sheaf.server.http.message.RouteMethod.POST;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sheaf.engine.input.FormFields;
import dev.sheaf.model.OAuthError;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.identity.Sessions;
import dev.sheaf.server.identity.api.SessionsApi;
import dev.sheaf.server.identity.publisher.PublisherExchange;
import dev.sheaf.server.identity.signin.DeviceGrants;
import dev.sheaf.server.identity.signin.IdentityParts;
import dev.sheaf.server.identity.token.IssuedToken;
import dev.sheaf.server.identity.token.TokenExchange;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Access tokens by OAuth 2 (contract 5.3): exchange (RFC 8693), devices (RFC 8628), refresh tokens (RFC 6749).
public final class OAuthApi {
    private static final String DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
    private static final String REFRESH = "refresh_token";
    private static final int MAX_CLIENT = 60;
    private static final String EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
    private static final String TYPES = "urn:ietf:params:oauth:token-type:";
    private static final String API_KEY = "urn:sheaf:params:oauth:token-type:api-key";
    private static final String ID_TOKEN = TYPES + "id_token";
    static final long MAX_FORM = 64 << 10;

    private final TokenExchange exchange;
    private final PublisherExchange publishers;
    private final DeviceGrants devices;
    private final IdentityParts identity;
    private final InstantSource clock;
    private final Function<String, Optional<UUID>> organizations;

    /// @param organizations finds an organization by its id or handle
    public OAuthApi(
            TokenExchange exchange,
            PublisherExchange publishers,
            DeviceGrants devices,
            IdentityParts identity,
            InstantSource clock,
            Function<String, Optional<UUID>> organizations) {
        this.devices = devices;
        this.identity = identity;
        this.clock = clock;
        this.exchange = exchange;
        this.publishers = publishers;
        this.organizations = organizations;
    }

    public List<Route> routes() {
        return List.of(
                new Route(POST, "/v1/oauth/token", RoutePermission.NONE, this::token),
                new Route(POST, "/v1/oauth/device_authorization", RoutePermission.NONE, this::device));
    }

    private record Issued(
            @JsonProperty("access_token") String accessToken,
            @JsonProperty("issued_token_type") @Nullable String issuedTokenType,
            @JsonProperty("token_type") String tokenType,
            @JsonProperty("expires_in") long expiresIn,
            @Nullable String scope,
            @JsonProperty("refresh_token") @Nullable String refreshToken) {
        static Issued exchanged(IssuedToken issued) {
            return new Issued(
                    issued.token().expose(),
                    TYPES + "access_token",
                    "Bearer",
                    issued.lifetime().toSeconds(),
                    issued.scope().toString(),
                    null);
        }
    }

    private Answer token(Call call) {
        var form = call.form(MAX_FORM);
        String type = form.required("grant_type");
        return switch (type) {
            case EXCHANGE -> exchange(call, form);
            case DEVICE -> {
                var code = Secret.of(form.required("device_code"));
                yield opened(call.identified(() -> devices.poll(SessionsApi.visit(call), code)));
            }
            case REFRESH -> refresh(call, form);
            default ->
                throw OAuthError.UNSUPPORTED_GRANT_TYPE.refuse("the grant_type " + Quoted.of(type)
                        + " is not supported here; /.well-known/oauth-authorization-server lists those that are");
        };
    }

    private Answer refresh(Call call, FormFields form) {
        var token = Secret.of(form.required("refresh_token"));
        return opened(proven(
                call, OAuthError.INVALID_GRANT, () -> identity.sessions().refresh(SessionsApi.visit(call), token)));
    }

    /// Authenticates a credential in the form. A rejected credential counts like one in a header, and is
    /// refused with OAuth's errors.
    private static <T> T proven(Call call, OAuthError refusal, Supplier<T> authentication) {
        try {
            return call.identified(authentication);
        } catch (ProblemException e) {
            throw e.problem() instanceof Problem.Unauthenticated refused ? refusal.refuse(refused.detail()) : e;
        }
    }

    private Answer opened(Sessions.Opened opened) {
        long seconds = Math.max(
                0, Duration.between(clock.instant(), opened.accessEndsAt()).toSeconds());
        return secret(new Issued(
                opened.access().expose(),
                null,
                "Bearer",
                seconds,
                opened.scope() == null ? null : opened.scope().toString(),
                opened.refresh().expose()));
    }

    private record Device(
            @JsonProperty("device_code") String deviceCode,
            @JsonProperty("user_code") String userCode,
            @JsonProperty("verification_uri") String place,
            @JsonProperty("verification_uri_complete") String placeWithCode,
            @JsonProperty("expires_in") long expiresIn,
            long interval) {}

    private Answer device(Call call) {
        var form = call.form(MAX_FORM);
        String client = form.required("client_id");
        if (client.length() > MAX_CLIENT || !client.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            throw OAuthError.INVALID_REQUEST.refuse(
                    "client_id must have 1 to " + MAX_CLIENT + " printable ASCII characters, because people see it");
        }
        var codes = devices.begin(client, TokenExchange.Wish.scope(form).orElse(Scope.READ), call.from());
        String place = call.baseUrl() + "/device";
        return secret(new Device(
                codes.device().expose(),
                codes.user(),
                place,
                place + "?user_code=" + codes.user(),
                DeviceGrants.LIFETIME.toSeconds(),
                DeviceGrants.INTERVAL.toSeconds()));
    }

    private Answer exchange(Call call, FormFields form) {
        target(call, form);
        var wish = TokenExchange.Wish.parse(form);
        requested(form);
        Secret subject = Secret.of(form.required("subject_token"));
        String type = form.required("subject_token_type");
        Supplier<IssuedToken> issued = switch (type) {
            case API_KEY, TYPES + "access_token", TYPES + "jwt" ->
                () -> exchange.exchange(subject, Authenticator.Context.of(call.address()), wish);
            case ID_TOKEN -> {
                var organization = organization(form);
                var visit = SessionsApi.visit(call);
                yield () -> publishers.exchange(subject, organization, visit, wish);
            }
            default ->
                throw OAuthError.INVALID_REQUEST.refuse("the subject_token_type " + Quoted.of(type)
                        + " is not supported; send " + API_KEY + ", " + TYPES + "access_token or " + ID_TOKEN);
        };
        return secret(Issued.exchanged(proven(call, OAuthError.INVALID_REQUEST, issued)));
    }

    private @Nullable UUID organization(FormFields form) {
        var named = form.single("organization");
        return named.isEmpty()
                ? null
                : named.flatMap(organizations)
                        .orElseThrow(() -> OAuthError.INVALID_TARGET.refuse("the organization " + Quoted.of(named.get())
                                + " does not exist, or has no trusted publishers"));
    }

    private static Answer secret(Object body) {
        return Answer.ok(body).with("Cache-Control", "no-store").with("Pragma", "no-cache");
    }

    /// Refuses other targets, because tokens are valid only for this registry (RFC 8693, section 2.1; RFC
    /// 8707).
    private static void target(Call call, FormFields form) {
        for (String name : List.of("resource", "audience")) {
            for (String value : form.all(name)) {
                String bare = value.endsWith("/") ? value.substring(0, value.length() - 1) : value;
                if (!bare.equals(call.baseUrl()) && !bare.equals(call.registryHost())) {
                    throw OAuthError.INVALID_TARGET.refuse(
                            "tokens of this registry are for " + call.baseUrl() + " only, not for " + Quoted.of(value));
                }
            }
        }
    }

    private static void requested(FormFields form) {
        String type = form.single("requested_token_type").orElse(TYPES + "access_token");
        if (!type.equals(TYPES + "access_token") && !type.equals(TYPES + "jwt")) {
            throw OAuthError.INVALID_REQUEST.refuse("the requested_token_type " + Quoted.of(type)
                    + " is not supported; ask for " + TYPES + "access_token");
        }
    }
}
