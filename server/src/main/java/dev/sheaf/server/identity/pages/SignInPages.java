package dev.sheaf.server.identity.pages;

import dev.sheaf.engine.http.ServerSite;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.SessionCookie;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.signin.IdentityParts;
import dev.sheaf.server.identity.signin.SignIn;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Signing in with a password, and out again.
public final class SignInPages {
    private static final int MAX_PATH = 1_000;

    private final IdentityParts identity;
    private final SessionCookie cookie;
    private final @Nullable String provider;
    private final BooleanSupplier isNew;

    /// @param provider the name of the sign-in provider; null if there is none
    /// @param isNew returns whether no account exists yet
    public SignInPages(IdentityParts identity, SessionCookie cookie, @Nullable String provider, BooleanSupplier isNew) {
        this.identity = identity;
        this.cookie = cookie;
        this.provider = provider;
        this.isNew = isNew;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.open("/login", page -> show(page, "", local(page.query("next")), false, FormErrors.NONE)),
                pages.openForm("/login", this::signIn),
                pages.form("/logout", this::signOut));
    }

    private Answer show(PageCall page, String email, String next, boolean code, FormErrors errors) {
        return page.withForms()
                .view("Sign in", "identity/pages/login")
                .with("email", email)
                .with("next", next)
                .with("askCode", code)
                .with("errors", errors)
                .with("provider", provider == null ? "" : provider)
                .with("isSafe", isSafe(page))
                .with("isNew", isNew.getAsBoolean())
                .in("account")
                .refused(errors)
                .show();
    }

    /// Returns whether the connection keeps typed secrets from others on the network.
    static boolean isSafe(PageCall page) {
        String base = page.call().baseUrl();
        return base.startsWith("https:") || ServerSite.isLoopback(base);
    }

    /// Refuses a connection on which others on the network can read secrets.
    static void requireSafe(PageCall page) {
        if (!isSafe(page)) {
            throw new Problem.Forbidden("this registry is reached over plain http, where others can read a password;"
                            + " sign in over https")
                    .raise();
        }
    }

    private Answer signIn(PageCall page) {
        var form = page.form();
        String email = form.first("email").orElse("");
        String next = local(form.first("next").orElse(null));
        requireSafe(page);
        try {
            var command = SignIn.Command.parse(form);
            var opened = page.call()
                    .guessed(() -> identity.signIn().withPassword(SessionCookie.visit(page.call()), command));
            return page.cookie(cookie.begin(page.call(), opened)).seeOther(next);
        } catch (ProblemException e) {
            boolean code = e.problem() instanceof Problem.TotpRequired;
            return show(
                    page,
                    email,
                    next,
                    code,
                    new FormErrors(Map.of(), List.of(e.problem().detail()), e.problem()));
        }
    }

    private Answer signOut(PageCall page) {
        var own = Accounts.person(page.caller());
        identity.sessionEnds().end(page.origin(), own, own.id());
        return page.cookie(SessionCookie.end(page.call())).seeOther("/", PageNotice.ok("You are signed out."));
    }

    /// Returns a path of this registry to redirect to; `/` if the text may lead elsewhere.
    static String local(@Nullable String path) {
        boolean isLocal = path != null
                && path.length() <= MAX_PATH
                && path.startsWith("/")
                && !path.startsWith("//")
                && path.chars().allMatch(c -> c > ' ' && c < 127 && c != '\\');
        return isLocal && path != null ? path : "/";
    }
}
