package dev.sheaf.server.console.admin;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.account.UserTicket;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.input.Form;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The accounts of the installation.
public final class PeoplePages {
    private static final String PATH = "/admin/users";
    private static final ApiPath USERS = ApiPath.of("/v1/admin/users");

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.own(PATH, page -> list(page, new Form(Map.of()), FormErrors.NONE)),
                pages.form(PATH, this::create),
                pages.own(PATH + "/{user_id}", this::user),
                pages.form(PATH + "/{user_id}/disable", page -> change(page, "disable", "The account is disabled.")),
                pages.form(PATH + "/{user_id}/enable", page -> change(page, "enable", "The account is enabled.")),
                pages.form(
                        PATH + "/{user_id}/remove-totp",
                        page -> change(page, "removeTotp", "The second factor is removed.")),
                pages.form(PATH + "/{user_id}/reset-password", this::reset));
    }

    private static Answer list(PageCall page, Form form, FormErrors errors) {
        var path = ApiPath.of("/v1/admin/users").with("limit", 50).with("cursor", page.query("cursor"));
        var found = page.api().list(User.class, path);
        String next = found.meta().nextCursor();
        return page.view("People", "admin/people")
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
            return ticket(page, page.api().post(UserTicket.class, USERS, members), "The account is created.");
        } catch (ProblemException e) {
            return list(page, form, PageCall.errors(e.problem(), "email", "fullName", "organization", "role"));
        }
    }

    private static Answer ticket(PageCall page, UserTicket made, String title) {
        String token = made.passwordToken();
        return page.say(Notice.ok(title))
                .view("People", "admin/ticket")
                .with("user", made.user())
                .with("token", token == null ? "" : token)
                .in("admin")
                .show();
    }

    private Answer user(PageCall page) {
        var user = page.api().get(User.class, ApiPath.of("/v1/admin/users/{}", page.parameter("user_id")));
        return page.view(user.email(), "admin/person")
                .with("user", user)
                .in("admin")
                .forMachines("GET /v1/admin/users/" + user.id(), "sheaf admin user list")
                .show();
    }

    private static Answer change(PageCall page, String verb, String done) {
        page.form();
        String id = page.parameter("user_id");
        page.api().post(User.class, ApiPath.of("/v1/admin/users/{}:" + verb, id), Map.of());
        return page.seeOther(ApiPath.of(PATH + "/{}", id).toString(), Notice.ok(done));
    }

    private Answer reset(PageCall page) {
        page.form();
        var path = ApiPath.of("/v1/admin/users/{}:resetPassword", page.parameter("user_id"));
        return ticket(page, page.api().post(UserTicket.class, path, Map.of()), "The old password no longer works.");
    }
}
