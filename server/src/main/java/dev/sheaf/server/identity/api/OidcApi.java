package dev.sheaf.server.identity.api;

import static dev.sheaf.server.http.message.RouteMethod.GET;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.CookieHeaders;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RequestCost;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.identity.Sessions;
import dev.sheaf.server.identity.oidc.OidcSignIn;
import dev.sheaf.server.identity.signin.DeviceGrants;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Signs browsers in through an OpenID provider, with redirects there and back. If the account has an
/// authenticator, a page of the console asks for its code. A browser that returns to the page for approving
/// devices gets a ticket for that device instead of a session.
public final class OidcApi {
    private static final String COOKIE = "sheaf_sign_in";
    static final String PATH = "/v1/sign-in/oidc";
    private static final int MAX_PATH = 1_000;
    private static final String PATH_OF_CODE = "/device?user_code="; // where to return to, without the code
    private static final String CODE_PATH = "/sign-in";
    private static final String CODE_COOKIE = "sheaf_sign_in_code";

    private final @Nullable OidcSignIn signIn;
    private final DeviceGrants devices;
    private final InstantSource clock;
    private final Browsers browsers;

    /// The Set-Cookie lines that the console sends to a browser after sign-in.
    public interface Browsers {
        String session(Call call, Sessions.Opened opened);

        String device(Call call, Secret ticket);
    }

    /// @param signIn null if no provider is configured
    public OidcApi(@Nullable OidcSignIn signIn, DeviceGrants devices, InstantSource clock, Browsers browsers) {
        this.devices = devices;
        this.signIn = signIn;
        this.clock = clock;
        this.browsers = browsers;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, PATH, RoutePermission.NONE, RequestCost.READ, this::begin),
                new Route(GET, PATH + "/callback", RoutePermission.NONE, RequestCost.READ, this::end));
    }

    private OidcSignIn provider() {
        if (signIn == null) {
            throw new Problem.NotFound("a provider to sign in with (settings oidc-issuer and oidc-client-id)").raise();
        }
        return signIn;
    }

    private static String callback(Call call) {
        return call.baseUrl() + PATH + "/callback";
    }

    private Answer begin(Call call) {
        String path = call.query("redirect", OidcApi::local).orElse("/");
        var begun = provider().begin(callback(call), path);
        return redirect(begun.place().toString()).with("Set-Cookie", cookie(call, begun.cookie(), OidcSignIn.LONGEST));
    }

    /// Lax, because the browser returns here from the provider's page.
    private static String cookie(Call call, String value, Duration age) {
        return CookieHeaders.set(call, COOKIE, value, PATH, age, CookieHeaders.Along.LAX);
    }

    private static Answer redirect(String place) {
        return Answer.empty(302).with("Location", place).with("Cache-Control", "no-store");
    }

    /// Accepts only paths of this service: browsers would follow two slashes or a backslash to another host.
    private static String local(String text) {
        if (!text.matches("/(?![/\\\\])[!-\\[\\]-~]*") || text.length() > MAX_PATH) {
            throw Problem.invalid("format", "must be a path of this service, such as /hub");
        }
        return text;
    }

    private Answer end(Call call) {
        var provider = provider();
        String cookie =
                CookieHeaders.read(call, COOKIE).orElseThrow(() -> refuse("this browser did not start this sign-in"));
        call.query("error").ifPresent(error -> {
            throw refuse("the provider refused the sign-in: " + error.replaceAll("[^a-z_]", "?"));
        });
        String state = call.query("state").orElseThrow(() -> refuse("the provider sent no state"));
        String code = call.query("code").orElseThrow(() -> refuse("the provider sent no code"));
        var ended = call.identified(() -> provider.end(SessionsApi.visit(call), cookie, state, code, callback(call)));
        var next = switch (ended) {
            case OidcSignIn.Ended.In in -> entered(call, in);
            case OidcSignIn.Ended.CodeNeeded needed ->
                redirect(CODE_PATH).with("Set-Cookie", codeCookie(call, needed.cookie(), OidcSignIn.LONGEST));
        };
        return next.with("Set-Cookie", cookie(call, "", Duration.ZERO));
    }

    private Answer entered(Call call, OidcSignIn.Ended.In in) {
        var opened = in.opened();
        var answer = redirect(in.path());
        if (in.path().startsWith(PATH_OF_CODE)) {
            String device = in.path().substring(PATH_OF_CODE.length());
            return answer.with(
                    "Set-Cookie",
                    browsers.device(call, devices.claim(device, opened).ticket()));
        }
        return answer.with("Set-Cookie", SessionsApi.cookie(call, opened, clock))
                .with("Set-Cookie", browsers.session(call, opened));
    }

    // --- the code of an authenticator ---

    /// Lax, because the way here starts at the provider's page.
    private static String codeCookie(Call call, String value, Duration age) {
        return CookieHeaders.set(call, CODE_COOKIE, value, CODE_PATH, age, CookieHeaders.Along.LAX);
    }

    private static String waiting(Call call) {
        return CookieHeaders.read(call, CODE_COOKIE)
                .orElseThrow(() -> refuse("this browser has not signed in at the provider"));
    }

    /// @throws dev.sheaf.model.ProblemException unauthenticated if no sign-in waits for a code
    public void requireWaiting(Call call) {
        if (!provider().waits(waiting(call))) {
            throw refuse("this browser signed in at the provider too long ago");
        }
    }

    /// Completes the sign-in of a person who has signed in at the provider and entered this code.
    public Answer withCode(Call call, Secret code) {
        var in = call.guessed(() -> provider().withCode(SessionsApi.visit(call), waiting(call), code));
        return entered(call, in).with("Set-Cookie", codeCookie(call, "", Duration.ZERO));
    }

    private static RuntimeException refuse(String why) {
        return new Problem.Unauthenticated(CredentialFault.MISSING, why + "; start again at " + PATH).raise();
    }
}
