package dev.sheaf.server.identity.pages;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.org.Organization;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.ReadOnly;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.SessionCookie;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.identity.signin.AccountAdministration;
import dev.sheaf.server.identity.signin.IdentityParts;
import dev.sheaf.server.identity.signin.NewUser;
import dev.sheaf.server.identity.signin.SignIn;
import dev.sheaf.server.org.directory.Organizations;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The first run: the person with the first admin key creates the first owner. The page disappears once an
/// account exists.
public final class SetupPages {
    private static final String PATH = "/setup";
    private static final String[] FIELDS = {"key", "email", "fullName", "password"};

    private final IdentityParts identity;
    private final Organizations organizations;
    private final SessionCookie cookie;
    private volatile boolean done;

    public SetupPages(IdentityParts identity, Organizations organizations, SessionCookie cookie) {
        this.identity = identity;
        this.organizations = organizations;
        this.cookie = cookie;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(pages.open(PATH, this::ask), pages.openForm(PATH, this::make));
    }

    /// Returns whether there is no account yet.
    public boolean isNeeded() {
        if (!done && !identity.accounts().list(null, 1).isEmpty()) {
            done = true;
        }
        return !done;
    }

    private void require() {
        if (!isNeeded()) {
            throw new Problem.NotFound("the path " + PATH).raise();
        }
    }

    private Answer ask(PageCall page) {
        require();
        return show(page, new FormFields(Map.of()), "", FormErrors.NONE);
    }

    /// @param key the typed key unless it was refused: an error of another field is no reason to paste it again
    private static Answer show(PageCall page, FormFields form, String key, FormErrors errors) {
        return page.withForms()
                .view("Set up this registry", "identity/pages/setup")
                .with("email", form.first("email").orElse(""))
                .with("key", key)
                .with("name", form.first("fullName").orElse(""))
                .with("errors", errors)
                .in("account")
                .refused(errors)
                .forMachines(
                        "POST /v1/admin/users",
                        "sheaf admin user create --email ada@example.org --organization default --role owner")
                .show();
    }

    private Answer make(PageCall page) {
        require();
        var form = page.form();
        SignInPages.requireSafe(page);
        String key = form.first("key").orElse("").strip();
        try {
            page.change(() -> create(page, form, page.administrator(key)));
        } catch (ProblemException e) {
            var errors = errors(e.problem());
            return show(page, form, errors.of("key") == null ? key : "", errors);
        }
        return enter(page, form);
    }

    private static FormErrors errors(Problem problem) {
        return problem instanceof Problem.Credential
                ? FormErrors.of("key", problem.detail()).because(problem)
                : FormErrors.of(problem, List.of(FIELDS));
    }

    private AccountAdministration.Handed create(PageCall page, FormFields form, ChangeOrigin administrator) {
        ReadOnly.checkChange();
        var members = new HashMap<String, @Nullable Object>();
        for (String field : List.of("email", "fullName", "password")) {
            form.first(field).ifPresent(value -> members.put(field, value));
        }
        members.put(
                "organization",
                organizations
                        .of(administrator.caller())
                        .map(Organization::handle)
                        .orElse(""));
        members.put("role", "owner");
        return identity.administration()
                .create(administrator, RequestFields.form(members).to(NewUser::parse));
    }

    private Answer enter(PageCall page, FormFields form) {
        var opened = identity.signIn().withPassword(SessionCookie.visit(page.call()), SignIn.Command.parse(form));
        return page.cookie(cookie.begin(page.call(), opened))
                .seeOther("/welcome", PageNotice.ok("You own this registry now."));
    }
}
