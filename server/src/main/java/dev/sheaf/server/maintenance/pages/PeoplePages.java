package dev.sheaf.server.maintenance.pages;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.identity.signin.AccountAdministration;
import dev.sheaf.server.identity.signin.IdentityParts;
import dev.sheaf.server.identity.signin.NewUser;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The accounts of the installation.
public final class PeoplePages {
    private static final String PATH = "/admin/users";
    private static final int SHOWN = 50;

    private final IdentityParts identity;

    public PeoplePages(IdentityParts identity) {
        this.identity = identity;
    }

    /// Changes an account.
    private interface Verb {
        User change(ChangeOrigin origin, String user);
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(PATH, RoutePermission.ADMIN, page -> list(page, new FormFields(Map.of()), FormErrors.NONE)),
                pages.form(PATH, RoutePermission.ADMIN, this::create),
                pages.own(PATH + "/{user_id}", RoutePermission.ADMIN, this::user),
                change(
                        pages,
                        "/disable",
                        (who, user) -> accounts().setDisabled(who, user, true),
                        "The account is disabled."),
                change(
                        pages,
                        "/enable",
                        (who, user) -> accounts().setDisabled(who, user, false),
                        "The account is enabled."),
                change(pages, "/remove-totp", identity.administration()::removeTotp, "The second factor is removed."),
                pages.form(PATH + "/{user_id}/reset-password", RoutePermission.ADMIN, this::reset));
    }

    private Accounts accounts() {
        return identity.accounts();
    }

    private Answer list(PageCall page, FormFields form, FormErrors errors) {
        var found = page.paging(SHOWN).list(accounts()::list, User::id);
        String next = found.meta().nextCursor();
        return page.view("People", "maintenance/pages/people")
                .with("users", found.data())
                .with("email", form.first("email").orElse(""))
                .with("name", form.first("fullName").orElse(""))
                .with("organization", form.first("organization").orElse(""))
                .with("errors", errors)
                .with(
                        "next",
                        next == null
                                ? ""
                                : ApiPath.of(PATH).with("cursor", next).toString())
                .in("admin")
                .refused(errors)
                .forMachines("GET /v1/admin/users", "sheaf admin user list")
                .show();
    }

    private Answer create(PageCall page) {
        var form = page.form();
        var members = new HashMap<String, @Nullable Object>();
        members.put("email", form.first("email").orElse(""));
        members.put("fullName", form.first("fullName").orElse(null));
        form.first("organization").ifPresent(organization -> {
            members.put("organization", organization);
            members.put("role", form.first("role").orElse("reader"));
        });
        try {
            var wanted = RequestFields.form(members).to(NewUser::parse);
            return ticket(page, identity.administration().create(page.origin(), wanted), "The account is created.");
        } catch (ProblemException e) {
            return list(page, form, PageCall.errors(e.problem(), "email", "fullName", "organization", "role"));
        }
    }

    private static Answer ticket(PageCall page, AccountAdministration.Handed made, String title) {
        var ticket = made.ticket();
        return page.say(PageNotice.ok(title))
                .view("People", "maintenance/pages/ticket")
                .with("user", made.user())
                .with("token", ticket == null ? "" : ticket.secret().expose())
                .in("admin")
                .show();
    }

    private Answer user(PageCall page) {
        var user = accounts().find(page.parameter("user_id"));
        return page.view(user.email(), "maintenance/pages/person")
                .with("user", user)
                .in("admin")
                .forMachines("GET /v1/admin/users/" + user.id(), "sheaf admin user list")
                .show();
    }

    private static Route change(PageRoutes pages, String place, Verb verb, String done) {
        return pages.form(PATH + "/{user_id}" + place, RoutePermission.ADMIN, page -> {
            String id = page.parameter("user_id");
            verb.change(page.origin(), id);
            return page.seeOther(ApiPath.of(PATH + "/{}", id).toString(), PageNotice.ok(done));
        });
    }

    private Answer reset(PageCall page) {
        var made = identity.administration().resetPassword(page.origin(), page.parameter("user_id"));
        return ticket(page, made, "The old password no longer works.");
    }
}
