package dev.sheaf.server.identity.pages;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.account.SessionView;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.SessionCookie;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.CookieHeaders;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.PasswordChanges;
import dev.sheaf.server.identity.ProfileEdit;
import dev.sheaf.server.identity.signin.IdentityParts;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The viewer's account: profile, password, sessions, and theme.
public final class AccountPages {
    private static final Pattern PLACE = Pattern.compile(
            "(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Za-z_/-]+");
    private static final Duration YEAR = Duration.ofDays(365);
    private static final int SHOWN = 50;
    private static final int MOST_SESSIONS = 100;

    private final IdentityParts identity;

    public AccountPages(IdentityParts identity) {
        this.identity = identity;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own("/account", page -> profile(page, "", FormErrors.NONE)),
                pages.form("/account/profile", this::rename),
                pages.form("/account/time-zone", this::moveZone),
                pages.own("/account/password", page -> password(page, FormErrors.NONE)),
                pages.form("/account/password", this::changePassword),
                pages.open("/account/set-password", page -> setPassword(page, FormErrors.NONE)),
                pages.openForm("/account/set-password", this::usePasswordToken),
                pages.own("/account/sessions", this::sessions),
                pages.form("/account/sessions/{session_id}/end", this::endSession),
                pages.form("/account/sessions/end-others", this::endOthers),
                pages.open("/account/theme", this::theme),
                pages.openForm("/account/theme", this::chooseTheme));
    }

    // --- profile ---

    private Answer profile(PageCall page, String name, FormErrors errors) {
        var user = Objects.requireNonNull(page.viewer().user());
        String full = user.fullName();
        return page.view("Account", "identity/pages/profile")
                .with("user", user)
                .with("name", errors.of("fullName") == null ? PageFormat.text(full) : name)
                .with("zones", zones(user.timeZone()))
                .with("zone", PageFormat.text(user.timeZone()))
                .with("errors", errors)
                .in("account")
                .refused(errors)
                .forMachines("GET /v1/users/me", "sheaf whoami")
                .show();
    }

    private Answer rename(PageCall page) {
        var form = page.form();
        String name = form.first("fullName").orElse("");
        var members = new HashMap<String, @Nullable Object>();
        members.put("fullName", name.isEmpty() ? null : name);
        try {
            edit(page, members);
        } catch (ProblemException e) {
            return profile(page, name, PageCall.errors(e.problem(), "fullName"));
        }
        return page.seeOther("/account", PageNotice.ok("Your name is changed."));
    }

    private void edit(PageCall page, Map<String, @Nullable Object> members) {
        identity.accounts().edit(page.origin(), RequestFields.patch(members).to(ProfileEdit::parse), any -> {});
    }

    private Answer moveZone(PageCall page) {
        String zone = page.form().first("timeZone").orElse("");
        var members = new HashMap<String, @Nullable Object>();
        members.put("timeZone", zone.isEmpty() ? null : zone);
        try {
            edit(page, members);
        } catch (ProblemException e) {
            return profile(page, "", PageCall.errors(e.problem(), "timeZone"));
        }
        return page.seeOther(
                "/account", PageNotice.ok("Pages show times in " + (zone.isEmpty() ? "UTC" : zone) + " from now on."));
    }

    /// Returns the zones to choose from: all zones with the name of a place, and the current one.
    private static Map<String, String> zones(@Nullable String chosen) {
        var zones = new LinkedHashMap<String, String>();
        zones.put("", "UTC");
        ZoneId.getAvailableZoneIds().stream()
                .filter(zone -> zone.equals(chosen) || PLACE.matcher(zone).matches())
                .sorted()
                .forEach(zone -> zones.put(zone, zone));
        return zones;
    }

    // --- password ---

    private Answer password(PageCall page, FormErrors errors) {
        return page.view("Password", "identity/pages/password")
                .with("errors", errors)
                .in("account")
                .refused(errors)
                .forMachines("POST /v1/users/me:changePassword", "sheaf account password")
                .show();
    }

    private Answer changePassword(PageCall page) {
        var form = page.form();
        var members = Map.of(
                "currentPassword", form.first("currentPassword").orElse(""),
                "newPassword", form.first("newPassword").orElse(""));
        try {
            identity.passwords()
                    .change(page.origin(), RequestFields.form(members).to(PasswordChanges.Change::parse));
        } catch (ProblemException e) {
            return password(page, wrong(e.problem(), "currentPassword", "newPassword"));
        }
        return page.seeOther("/account", PageNotice.ok("Your password is changed. Your other sessions have ended."));
    }

    /// A wrong password is an error of the form, although the API answers it like any wrong credential.
    private static FormErrors wrong(Problem problem, String... fields) {
        return problem instanceof Problem.Unauthenticated || problem instanceof Problem.Forbidden
                ? FormErrors.of(fields[0], problem.detail()).because(problem)
                : PageCall.errors(problem, fields);
    }

    private Answer setPassword(PageCall page, FormErrors errors) {
        return page.withForms()
                .view("Set a password", "identity/pages/setPassword")
                .with("errors", errors)
                .in("account")
                .refused(errors)
                .forMachines("POST /v1/users:setPassword", "sheaf account password --token")
                .show();
    }

    private Answer usePasswordToken(PageCall page) {
        var form = page.form();
        SignInPages.requireSafe(page);
        var members = Map.of(
                "token", form.first("token").orElse("").strip(),
                "password", form.first("password").orElse(""));
        try {
            page.call().guessed(() -> {
                var setting = RequestFields.form(members).to(PasswordChanges.Setting::parse);
                identity.passwords().use(SessionCookie.visit(page.call()), setting);
                return true;
            });
        } catch (ProblemException e) {
            return setPassword(page, FormErrors.of(e.problem(), List.of("token", "password")));
        }
        return page.seeOther("/login", PageNotice.ok("Your password is set. Sign in with it."));
    }

    // --- sessions ---

    private Answer sessions(PageCall page) {
        var own = Accounts.person(page.caller());
        var found =
                page.paging(SHOWN).list((after, limit) -> identity.sessions().list(own, after, limit), SessionView::id);
        String next = found.meta().nextCursor();
        return page.view("Sessions", "identity/pages/sessions")
                .with("sessions", found.data())
                .with(
                        "next",
                        next == null
                                ? ""
                                : ApiPath.of("/account/sessions")
                                        .with("cursor", next)
                                        .toString())
                .in("account")
                .forMachines("GET /v1/sessions", "sheaf account sessions")
                .show();
    }

    private Answer endSession(PageCall page) {
        end(page, page.parameter("session_id", PathId.of("session %s")));
        return page.seeOther("/account/sessions", PageNotice.ok("The session has ended."));
    }

    private void end(PageCall page, UUID session) {
        identity.sessionEnds().end(page.origin(), Accounts.person(page.caller()), session);
    }

    private Answer endOthers(PageCall page) {
        int ended = 0;
        for (var session : identity.sessions().list(Accounts.person(page.caller()), null, MOST_SESSIONS)) {
            if (!session.current()) {
                end(page, session.id());
                ended++;
            }
        }
        return page.seeOther(
                "/account/sessions",
                PageNotice.ok(ended == 1 ? "1 session has ended." : ended + " sessions have ended."));
    }

    // --- looks ---

    private Answer theme(PageCall page) {
        return page.withForms()
                .view("Theme", "identity/pages/theme")
                .in("account")
                .show();
    }

    private Answer chooseTheme(PageCall page) {
        String theme = page.form().first("theme").orElse("");
        boolean isKnown = theme.equals("light") || theme.equals("dark");
        page.cookie(CookieHeaders.set(
                page.call(),
                "sheaf_theme",
                isKnown ? theme : "",
                "/",
                isKnown ? YEAR : Duration.ZERO,
                CookieHeaders.Along.LAX));
        return page.seeOther("/account/theme", PageNotice.ok("The theme is changed."));
    }
}
