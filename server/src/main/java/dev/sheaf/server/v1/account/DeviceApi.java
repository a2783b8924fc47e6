package dev.sheaf.server.v1.account;

import static dev.sheaf.server.http.message.Method.GET;
import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Cookies;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.SameOrigin;
import dev.sheaf.server.http.policy.Cost;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.identity.signin.DeviceDecision;
import dev.sheaf.server.identity.signin.DeviceGrants;
import dev.sheaf.server.identity.signin.Identity;
import dev.sheaf.server.identity.signin.SignIn;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The page on which a person lets a device in (RFC 8628, section 3.3). A code that nobody has counts as a failed
/// authentication, and behind too many of those none is looked at (section 5.1). What lets a decision pass is a
/// ticket in the page that follows the sign-in. The only cookie brings that ticket back from a sign-in at a
/// provider.
public final class DeviceApi {
    /// Where to come back to, without the code.
    static final String PATH_OF_CODE = "/device?user_code=";

    private static final String PATH = "/device";
    private static final String COOKIE = "sheaf_device";
    private static final long MAX_FORM = 16 << 10;

    private final Identity identity;
    private final DeviceGrants devices;
    private final @Nullable String provider;

    /// @param provider what the one to sign in with is called; null: there is none
    public DeviceApi(Identity identity, DeviceGrants devices, @Nullable String provider) {
        this.provider = provider;
        this.identity = identity;
        this.devices = devices;
    }

    public List<Route> routes() {
        return List.of(
                new Route(GET, "/device", Need.NONE, Cost.READ, this::show),
                new Route(POST, "/device", Need.NONE, this::signIn),
                new Route(POST, "/device/decision", Need.NONE, this::decide));
    }

    private Answer show(Call call) {
        var code = call.query("user_code").filter(text -> !text.isBlank());
        return code.isEmpty()
                ? DevicePage.askCode()
                : call.guessed(() -> Cookies.read(call, COOKIE)
                        .flatMap(ticket -> devices.claimed(code.get(), Secret.of(ticket)))
                        .map(DevicePage::decide)
                        .orElseGet(() -> DevicePage.signIn(devices.asked(code.get()), provider)));
    }

    /// The code in a path of this page, to which somebody comes back who has signed in at a provider.
    static Optional<String> code(String path) {
        return path.startsWith(PATH_OF_CODE) ? Optional.of(path.substring(PATH_OF_CODE.length())) : Optional.empty();
    }

    /// The cookie with a ticket. Lax, since the way back begins at the provider's page.
    static String cookie(Call call, Secret ticket) {
        return Cookies.set(call, COOKIE, ticket.expose(), PATH, DeviceGrants.LIFETIME, Cookies.Along.LAX);
    }

    private Answer signIn(Call call) {
        SameOrigin.check(call);
        var form = call.form(MAX_FORM);
        String code = form.required("user_code");
        var command = SignIn.Command.parse(form);
        return call.guessed(() -> {
            devices.asked(code);
            var signedIn = identity.signIn().withPassword(SessionsApi.visit(call), command);
            return DevicePage.decide(devices.claim(code, signedIn));
        });
    }

    private Answer decide(Call call) {
        SameOrigin.check(call);
        var decision = DeviceDecision.parse(call.form(MAX_FORM));
        return call.guessed(() -> {
            devices.decide(decision, SessionsApi.visit(call));
            return DevicePage.done(decision.organization() != null)
                    .with("Set-Cookie", Cookies.set(call, COOKIE, "", PATH, Duration.ZERO, Cookies.Along.LAX));
        });
    }
}
