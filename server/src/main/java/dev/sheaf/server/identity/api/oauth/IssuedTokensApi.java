package dev.sheaf.server.identity.api.oauth;

import static dev.sheaf.server.http.message.RouteMethod.POST;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.TokenSubject;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.identity.api.SessionsApi;
import dev.sheaf.server.identity.token.TokenRevocation;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Revocation (RFC 7009) and introspection (RFC 7662) of issued tokens.
public final class IssuedTokensApi {
    private final TokenRevocation revocation;

    public IssuedTokensApi(TokenRevocation revocation) {
        this.revocation = revocation;
    }

    public List<Route> routes() {
        return List.of(
                new Route(POST, "/v1/oauth/revoke", RoutePermission.NONE, this::revoke),
                new Route(POST, "/v1/oauth/introspect", RoutePermission.READ, this::introspect));
    }

    private Answer revoke(Call call) {
        var token = Secret.of(call.form(OAuthApi.MAX_FORM).required("token"));
        revocation.revoke(token, SessionsApi.visit(call));
        return Answer.json(200, new Nothing()).with("Cache-Control", "no-store");
    }

    private record Nothing() {}

    private record Introspection(
            boolean active,
            @Nullable String scope,
            @JsonProperty("token_type") @Nullable String tokenType,
            @Nullable String sub,
            @Nullable String username,
            @Nullable String jti,
            @Nullable Long iat,
            @Nullable Long exp,
            @Nullable String organization) {
        static final Introspection INACTIVE = new Introspection(false, null, null, null, null, null, null, null, null);

        static Introspection of(TokenRevocation.Insight insight) {
            var caller = insight.caller();
            var subject = TokenSubject.of(caller.credential());
            return new Introspection(
                    true,
                    insight.scope().toString(),
                    "Bearer",
                    kind(subject) + ":" + subject.id(),
                    caller.credential().name(),
                    insight.id(),
                    seconds(insight.issuedAt()),
                    seconds(caller.endsAt()),
                    caller.organizationId().toString());
        }

        private static String kind(TokenSubject subject) {
            return switch (subject) {
                case TokenSubject.Key ignored -> "key";
                case TokenSubject.Session ignored -> "session";
                case TokenSubject.Publisher ignored -> "publisher";
            };
        }

        private static @Nullable Long seconds(@Nullable Instant time) {
            return time == null ? null : time.getEpochSecond();
        }
    }

    private Answer introspect(Call call) {
        var caller = (Caller.Known) call.caller();
        var token = Secret.of(call.form(OAuthApi.MAX_FORM).required("token"));
        var answer = revocation
                .inspect(caller.organizationId(), token)
                .map(Introspection::of)
                .orElse(Introspection.INACTIVE);
        return Answer.json(200, answer).with("Cache-Control", "no-store");
    }
}
