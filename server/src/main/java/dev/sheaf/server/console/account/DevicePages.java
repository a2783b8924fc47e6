package dev.sheaf.server.console.account;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.SessionCookie;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Cookies;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.identity.signin.DeviceDecision;
import dev.sheaf.server.identity.signin.DeviceGrants;
import dev.sheaf.server.identity.signin.Identity;
import dev.sheaf.server.identity.signin.SignIn;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The pages on which a person lets a device in (RFC 8628, section 3.3). A code that nobody has counts as a failed
/// authentication, and behind too many of those none is looked at (section 5.1). What lets a decision pass is a ticket
/// in the page that follows the sign-in: these forms need no other token.
public final class DevicePages {
    private static final String PATH = "/device";
    private static final String COOKIE = "sheaf_device";
    private static final long MAX_FORM = 16 << 10;

    private final Identity identity;
    private final DeviceGrants devices;
    private final @Nullable String provider;

    /// @param provider what the one to sign in with is called; null: there is none
    public DevicePages(Identity identity, DeviceGrants devices, @Nullable String provider) {
        this.identity = identity;
        this.devices = devices;
        this.provider = provider;
    }

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.open(PATH, this::show),
                pages.openForm(PATH, this::signIn),
                pages.openForm(PATH + "/decision", this::decide));
    }

    private Answer show(PageCall page) {
        String code = page.query("user_code");
        if (code == null || code.isBlank()) {
            return page.view("Let a device in", "account/deviceCode")
                    .in("account")
                    .show();
        }
        var call = page.call();
        return call.guessed(() -> claimed(call, code)
                .map(choice -> decide(page, choice))
                .orElseGet(() -> signIn(page, code, devices.asked(code), "")));
    }

    /// What somebody decides about who is signed in here, or comes back from a provider.
    private Optional<DeviceGrants.Choice> claimed(Call call, String code) {
        if (call.caller() instanceof Caller.Known known && known.credential() instanceof Credential.Session session) {
            return Optional.of(devices.claim(code, session));
        }
        return Cookies.read(call, COOKIE).flatMap(ticket -> devices.claimed(code, Secret.of(ticket)));
    }

    /// The cookie with the ticket of who signed in at a provider. Lax, since the way back begins at the provider's
    /// page.
    public static String cookie(Call call, Secret ticket) {
        return Cookies.set(call, COOKIE, ticket.expose(), PATH, DeviceGrants.LIFETIME, Cookies.Along.LAX);
    }

    private Answer signIn(PageCall page, String code, DeviceGrants.Asked asked, String error) {
        String back = ApiPath.of(PATH).with("user_code", asked.userCode()).toString();
        return page.view("Let a device in", "account/deviceSignIn")
                .with("asked", asked)
                .with("code", code)
                .with("error", error)
                .with("provider", provider == null ? "" : provider)
                .with(
                        "providerLink",
                        ApiPath.of("/v1/sign-in/oidc").with("redirect", back).toString())
                .in("account")
                .status(error.isEmpty() ? 200 : 401)
                .show();
    }

    private Answer decide(PageCall page, DeviceGrants.Choice choice) {
        return page.view("Let this device in?", "account/deviceDecide")
                .with("choice", choice)
                .with("address", page.call().from())
                .in("account")
                .show();
    }

    private Answer signIn(PageCall page) {
        var form = page.call().form(MAX_FORM);
        String code = form.required("user_code");
        var command = SignIn.Command.parse(form);
        return page.call().guessed(() -> {
            var asked = devices.asked(code);
            try {
                var signedIn = identity.signIn().withPassword(SessionCookie.visit(page.call()), command);
                return decide(page, devices.claim(code, signedIn));
            } catch (ProblemException e) {
                if (e.problem() instanceof Problem.TotpRequired totp) {
                    return signIn(page, code, asked, totp.detail());
                }
                throw e;
            }
        });
    }

    private Answer decide(PageCall page) {
        var decision = DeviceDecision.parse(page.call().form(MAX_FORM));
        return page.call().guessed(() -> {
            devices.decide(decision, SessionCookie.visit(page.call()));
            boolean allowed = decision.organization() != null;
            return page.cookie(Cookies.set(page.call(), COOKIE, "", PATH, Duration.ZERO, Cookies.Along.LAX))
                    .view(allowed ? "The device is let in" : "The device is kept out", "account/deviceDone")
                    .with("isAllowed", allowed)
                    .in("account")
                    .show();
        });
    }
}
