package dev.sheaf.server.identity.api;

import static dev.sheaf.server.http.message.RouteMethod.DELETE;
import static dev.sheaf.server.http.message.RouteMethod.GET;
import static dev.sheaf.server.http.message.RouteMethod.POST;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.account.SessionView;
import dev.sheaf.model.wire.account.SignedIn;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.CookieHeaders;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.SameOrigin;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.Sessions;
import dev.sheaf.server.identity.SignInSource;
import dev.sheaf.server.identity.signin.IdentityParts;
import dev.sheaf.server.identity.signin.SignIn;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/// Sessions of people (contract 5.3). The answer contains an access token. The refresh token that replaces it
/// is in a cookie that scripts cannot read.
public final class SessionsApi {

    private static final long MAX_SIGN_IN = 16 << 10; // bytes, for any caller
    private static final String COOKIE = "sheaf_refresh";
    private static final String PATH = "/v1/sessions";

    private final IdentityParts identity;
    private final InstantSource clock;

    public SessionsApi(IdentityParts identity, InstantSource clock) {
        this.identity = identity;
        this.clock = clock;
    }

    public List<Route> routes() {
        return List.of(
                new Route(POST, PATH, RoutePermission.NONE, this::begin),
                new Route(GET, PATH, RoutePermission.PERSON, this::list),
                new Route(POST, PATH + "/current:refresh", RoutePermission.NONE, this::refresh),
                new Route(DELETE, PATH + "/current", RoutePermission.PERSON, this::endCurrent),
                new Route(DELETE, PATH + "/{session_id}", RoutePermission.PERSON, this::end));
    }

    public static SignInSource visit(Call call) {
        return new SignInSource(call.from(), call.header("User-Agent").orElse(""), call.requestId());
    }

    private Answer begin(Call call) {
        SameOrigin.check(call);
        var command = call.json("the JSON body", MAX_SIGN_IN).to(SignIn.Command::parse);
        return answer(call, call.guessed(() -> identity.signIn().withPassword(visit(call), command)));
    }

    private Answer refresh(Call call) {
        SameOrigin.check(call);
        var token = CookieHeaders.read(call, COOKIE)
                .map(Secret::of)
                .orElseThrow(() -> new Problem.Unauthenticated(
                                CredentialFault.MISSING, "the cookie with the refresh token is missing; sign in")
                        .raise());
        return answer(call, call.identified(() -> identity.sessions().refresh(visit(call), token)));
    }

    private Answer answer(Call call, Sessions.Opened opened) {
        var now = clock.instant();
        long seconds = Math.max(0, Duration.between(now, opened.accessEndsAt()).toSeconds());
        var body = new SignedIn(opened.access().expose(), seconds, opened.session(), "Bearer");
        return Answer.secret(body, new SignedIn("", seconds, opened.session(), "Bearer"))
                .with("Set-Cookie", cookie(call, opened, clock));
    }

    /// Returns the Set-Cookie line with the refresh token.
    static String cookie(Call call, Sessions.Opened opened, InstantSource clock) {
        var age = Duration.between(clock.instant(), opened.refreshEndsAt());
        return CookieHeaders.set(call, COOKIE, opened.refresh().expose(), PATH, age, CookieHeaders.Along.STRICT);
    }

    private Answer list(Call call) {
        var own = inPerson(call);
        return PageRequest.of(call)
                .show((after, limit) -> identity.sessions().list(own, after, limit), SessionView::id);
    }

    private Answer endCurrent(Call call) {
        var own = Accounts.person(call.origin().caller());
        identity.sessionEnds().end(call.origin(), own, own.id());
        return Answer.empty(204)
                .with(
                        "Set-Cookie",
                        CookieHeaders.set(call, COOKIE, "", PATH, Duration.ZERO, CookieHeaders.Along.STRICT));
    }

    private Answer end(Call call) {
        identity.sessionEnds()
                .end(call.origin(), inPerson(call), call.parameter("session_id", PathId.of("session %s")));
        return Answer.empty(204);
    }

    private static Credential.Session inPerson(Call call) {
        Access.inPerson(call.origin().caller());
        return Accounts.person(call.origin().caller());
    }
}
