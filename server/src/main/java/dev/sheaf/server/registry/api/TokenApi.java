package dev.sheaf.server.registry.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sheaf.engine.input.FormFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.auth.AccessTokens;
import dev.sheaf.server.auth.Authenticator;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.SigningKeys;
import dev.sheaf.server.auth.TokenSubject;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.CredentialReader;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The token endpoint (distribution's "Token Authentication" and its OAuth 2 form). An API key gets a
/// short-lived token with the rights that were requested and that the key has. Whatever the token contains,
/// every use checks the access rule again.
public final class TokenApi {
    private static final long MAX_FORM = 64 << 10;
    private static final int MAX_REPOSITORIES = 100;

    private final Authenticator authenticator;
    private final AccessTokens tokens;
    private final SigningKeys signingKeys;
    private final Repositories repositories;
    private final InstantSource clock;

    /// @param clock the database's clock
    public TokenApi(
            Authenticator authenticator,
            AccessTokens tokens,
            SigningKeys signingKeys,
            Repositories repositories,
            InstantSource clock) {
        this.authenticator = authenticator;
        this.tokens = tokens;
        this.signingKeys = signingKeys;
        this.repositories = repositories;
        this.clock = clock;
    }

    public List<Route> routes() {
        return List.of(
                DistributionApi.route(GET, "/v2/token", RoutePermission.NONE, this::get),
                DistributionApi.route(POST, "/v2/token", RoutePermission.NONE, this::post),
                new Route(GET, "/.well-known/jwks.json", RoutePermission.NONE, call -> jwks()));
    }

    /// Returns the public keys of access tokens, so that others can verify tokens without calling this service.
    /// They may be cached for five minutes; a new key is listed for ten before it signs.
    private Answer jwks() {
        return Answer.ok(signingKeys.published()).with("Cache-Control", "public, max-age=300");
    }

    private record Issued(
            String token,
            @JsonProperty("access_token") String accessToken,
            @JsonProperty("expires_in") long expiresIn,
            @JsonProperty("issued_at") Instant issuedAt) {}

    private Answer get(Call call) {
        return issue(
                holder(call, () -> CredentialReader.read(call.headers("Authorization"), true)), call.queryAll("scope"));
    }

    private Answer post(Call call) {
        var form = FormFields.parse(new String(call.bytes("the form", MAX_FORM), StandardCharsets.UTF_8));
        return issue(holder(call, () -> secret(call, form)), form.all("scope"));
    }

    /// Returns the credential of the form, else that of the header. A form that announces a credential but
    /// contains none is an error: the client meant to send one.
    private static Optional<Secret> secret(Call call, FormFields form) {
        var type = form.first("grant_type");
        var sent = type.flatMap(TokenApi::field).flatMap(form::first).map(Secret::of);
        var found = sent.or(() -> CredentialReader.read(call.headers("Authorization"), true));
        if (type.isPresent() && found.isEmpty()) {
            throw new Problem.Unauthenticated(
                            CredentialFault.MALFORMED,
                            "the form contains no credential; send the API key in the field " + type.get()
                                    + ", or nothing at all")
                    .raise();
        }
        return found;
    }

    private static Optional<String> field(String grantType) {
        return switch (grantType) {
            case "password", "refresh_token" -> Optional.of(grantType);
            default ->
                throw new Problem.BadRequest("the grant_type " + Quoted.of(grantType)
                                + " is not supported; use password or refresh_token, with the API key")
                        .raise();
        };
    }

    private Caller holder(Call call, Supplier<Optional<Secret>> secret) {
        var caller = call.identified(() -> secret.get()
                .map(sent -> authenticator.authenticate(sent, Authenticator.Context.of(call.address())))
                .orElse(Caller.ANONYMOUS));
        call.count(caller, RequestCost.READ);
        if (caller instanceof Caller.Known known && known.grant() instanceof Grant.Limited) {
            throw new Problem.Unauthenticated(
                            CredentialFault.MALFORMED,
                            "an access token of the registry cannot be exchanged for another token; send the API key")
                    .raise();
        }
        call.authenticated(caller);
        return caller;
    }

    private Answer issue(Caller caller, List<String> scopes) {
        var actions = new HashMap<String, Set<Grant.Action>>();
        var union = TokenScope.union(scopes);
        if (union.size() > MAX_REPOSITORIES) {
            throw tooMany();
        }
        union.forEach((name, asked) -> {
            var granted = EnumSet.noneOf(Grant.Action.class);
            asked.stream().filter(action -> allows(caller, name, action)).forEach(granted::add);
            if (!granted.isEmpty()) {
                actions.put(name.toString(), granted);
            }
        });
        if (TokenScope.holdsCatalog(scopes) && caller instanceof Caller.Known) {
            actions.put(Grant.CATALOG, Set.of());
        }
        Instant now = clock.instant();
        Instant end = end(caller, now);
        String token = tokens.issue(subject(caller), new Grant.Limited(actions, part(caller)), sent(caller), now, end)
                .expose();
        if (token.length() > AccessTokens.MAX_LENGTH) {
            throw tooMany();
        }
        return Answer.ok(new Issued(token, token, Duration.between(now, end).toSeconds(), now))
                .with("Cache-Control", "no-store");
    }

    /// Limits the length: no request could send back a longer token.
    private static ProblemException tooMany() {
        return new Problem.BadRequest("too many repositories for one token; request several tokens, for at most "
                        + MAX_REPOSITORIES + " repositories each")
                .raise();
    }

    private static List<String> sent(Caller caller) {
        return caller instanceof Caller.Known known ? known.tokens() : List.of();
    }

    private static Grant.Delegated part(Caller caller) {
        return caller instanceof Caller.Known known ? known.grant().part() : Grant.WHOLE;
    }

    private static @Nullable TokenSubject subject(Caller caller) {
        return caller instanceof Caller.Known known ? TokenSubject.of(known.credential()) : null;
    }

    /// Returns the end of a token: not after the end of its credential, otherwise a stolen token could be
    /// renewed forever.
    private static Instant end(Caller caller, Instant now) {
        var end = now.plus(AccessTokens.LIFETIME);
        var last = caller instanceof Caller.Known known ? known.endsAt() : null;
        return last != null && last.isBefore(end) ? last : end;
    }

    /// Returns whether the caller may get this right. A hidden repository gets the same answer as a missing
    /// one, so that a token reveals nothing.
    private boolean allows(Caller caller, RepositoryName name, Grant.Action action) {
        boolean isPublic = repositories
                .find(caller, name)
                .map(Repository::visibility)
                .filter(Visibility.PUBLIC::equals)
                .isPresent();
        if (action == Grant.Action.PULL && isPublic) {
            return true;
        }
        return caller instanceof Caller.Known known
                && known.restrictions().permit(name)
                && (action == Grant.Action.PULL || known.scope().includes(Scope.WRITE));
    }
}
