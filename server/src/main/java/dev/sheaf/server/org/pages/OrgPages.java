package dev.sheaf.server.org.pages;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.org.directory.NewOrganization;
import dev.sheaf.server.org.directory.Organizations;
import java.util.List;
import java.util.Map;

/// The viewer's organizations, and the form for a new one.
public final class OrgPages {
    private static final String ALL = "/organizations";

    private final Organizations organizations;
    private final boolean selfService;

    /// @param selfService whether everybody may create organizations
    public OrgPages(Organizations organizations, boolean selfService) {
        this.organizations = organizations;
        this.selfService = selfService;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(ALL, this::list),
                pages.own(ALL + "/new", page -> form(page, "", "", FormErrors.NONE)),
                pages.form(ALL, this::create));
    }

    private Answer list(PageCall page) {
        return page.view("Organizations", "org/pages/list")
                .with("mayCreate", selfService || page.viewer().isAdministrator())
                .in("organization")
                .forMachines("GET /v1/organizations", "sheaf org show")
                .show();
    }

    private static Answer form(PageCall page, String handle, String name, FormErrors errors) {
        return page.view("New organization", "org/pages/create")
                .with("handle", handle)
                .with("name", name)
                .with("errors", errors)
                .in("organization")
                .forMachines("POST /v1/organizations", "sheaf org create acme --name 'Acme Ltd.'")
                .refused(errors)
                .show();
    }

    /// Answers with the page itself, because it shows a secret only once.
    private Answer create(PageCall page) {
        var form = page.form();
        String handle = form.first("handle").orElse("");
        String name = form.first("name").orElse("");
        try {
            var wanted =
                    RequestFields.form(Map.of("handle", handle, "name", name)).to(NewOrganization::parse);
            var made = organizations.create(page.origin(), wanted);
            return page.view(made.handle() + " is created", "org/pages/created")
                    .with("made", made)
                    .in("organization")
                    .forMachines("POST /v1/organizations", "")
                    .show();
        } catch (ProblemException e) {
            return form(page, handle, name, PageCall.errors(e.problem(), "handle", "name"));
        }
    }
}
