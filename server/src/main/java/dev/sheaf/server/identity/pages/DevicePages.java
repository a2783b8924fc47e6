package dev.sheaf.server.identity.pages;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.SessionCookie;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ContentNegotiation;
import dev.sheaf.server.http.message.CookieHeaders;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.identity.signin.DeviceDecision;
import dev.sheaf.server.identity.signin.DeviceGrants;
import dev.sheaf.server.identity.signin.IdentityParts;
import dev.sheaf.server.identity.signin.SignIn;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The pages on which a person gives a device access (RFC 8628, section 3.3). An unknown code counts as a
/// failed authentication; after too many of those, no code is checked (section 5.1). A decision needs the
/// ticket from the page after the sign-in; these forms need no other token.
public final class DevicePages {
    private static final String PATH = "/device";
    private static final String COOKIE = "sheaf_device";
    private static final String CODE = "user_code";
    private static final long MAX_FORM = 16 << 10;

    private final IdentityParts identity;
    private final DeviceGrants devices;
    private final @Nullable String provider;

    /// @param provider the name of the sign-in provider; null if there is none
    public DevicePages(IdentityParts identity, DeviceGrants devices, @Nullable String provider) {
        this.identity = identity;
        this.devices = devices;
        this.provider = provider;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.open(PATH, this::show),
                pages.openForm(PATH, this::signIn),
                pages.openForm(PATH + "/decision", this::decide));
    }

    private Answer show(PageCall page) {
        String code = page.query(CODE);
        if (code == null || code.isBlank()) {
            boolean sent = page.call().rawQuery().contains(CODE + "=");
            return ask(page, "", sent ? FormErrors.of(CODE, "Type the code that the device shows.") : FormErrors.NONE);
        }
        var call = page.call();
        try {
            return call.guessed(() -> claimed(call, code)
                    .map(choice -> decide(page, choice))
                    .orElseGet(() -> signIn(page, devices.asked(code), own(page), "")));
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Unauthenticated && ContentNegotiation.names(call, "text/html")) {
                var wrong = FormErrors.of(CODE, e.problem().detail());
                return ask(page, PageFormat.visible(code), wrong.because(e.problem()));
            }
            throw e;
        }
    }

    private static Answer ask(PageCall page, String code, FormErrors errors) {
        return page.view("Let a device in", "identity/pages/deviceCode")
                .with("code", code)
                .with("errors", errors)
                .in("account")
                .refused(errors)
                .show();
    }

    /// Returns the choice for a person who comes back from a provider. Somebody with an open session signs in again:
    /// any site can lead a browser here.
    private Optional<DeviceGrants.Choice> claimed(Call call, String code) {
        return CookieHeaders.read(call, COOKIE).flatMap(ticket -> devices.claimed(code, Secret.of(ticket)));
    }

    /// Returns the cookie with the ticket of a person who signed in at a provider. Lax, because the way back
    /// begins at the provider's page.
    public static String cookie(Call call, Secret ticket) {
        return CookieHeaders.set(call, COOKIE, ticket.expose(), PATH, DeviceGrants.LIFETIME, CookieHeaders.Along.LAX);
    }

    private static String own(PageCall page) {
        var user = page.viewer().user();
        return user == null ? "" : user.email();
    }

    private Answer signIn(PageCall page, DeviceGrants.Asked asked, String email, String error) {
        String back = ApiPath.of(PATH).with(CODE, asked.userCode()).toString();
        return page.view("Let a device in", "identity/pages/deviceSignIn")
                .with("asked", asked)
                .with("address", page.call().from())
                .with("email", email)
                .with("isSafe", SignInPages.isSafe(page))
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
        return page.view("Let this device in?", "identity/pages/deviceDecide")
                .with("choice", choice)
                .with("address", page.call().from())
                .in("account")
                .show();
    }

    private Answer signIn(PageCall page) {
        var form = page.call().form(MAX_FORM);
        SignInPages.requireSafe(page);
        String code = form.required(CODE);
        var command = SignIn.Command.parse(form);
        return page.call().guessed(() -> {
            var asked = devices.asked(code);
            try {
                var signedIn = identity.signIn().withPassword(SessionCookie.visit(page.call()), command);
                return decide(page, devices.claim(code, signedIn));
            } catch (ProblemException e) {
                if (e.problem() instanceof Problem.TotpRequired totp) {
                    return signIn(page, asked, command.email().value(), totp.detail());
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
            return page.cookie(CookieHeaders.set(page.call(), COOKIE, "", PATH, Duration.ZERO, CookieHeaders.Along.LAX))
                    .view(allowed ? "The device has access" : "The device was refused", "identity/pages/deviceDone")
                    .with("isAllowed", allowed)
                    .in("account")
                    .show();
        });
    }
}
