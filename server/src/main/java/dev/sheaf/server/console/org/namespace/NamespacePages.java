package dev.sheaf.server.console.org.namespace;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.model.wire.org.Transfer;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.Notice;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.console.org.OrgPage;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The namespaces of an organization, and their transfers.
public final class NamespacePages {
    static final String ALL = "/organizations/{org_id}/namespaces";
    private static final String ONE = ALL + "/{namespace}";
    private static final int SHOWN = 50;

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.own(ALL, page -> list(OrgPage.of(page), "", "", FormErrors.NONE)),
                pages.form(ALL, NamespacePages::claim),
                pages.own(ONE, page -> one(OrgPage.of(page), "", FormErrors.NONE)),
                pages.form(ONE + "/edit", NamespacePages::edit));
    }

    static Answer list(OrgPage org, String handle, String displayName, FormErrors errors) {
        var page = org.page();
        var namespaces = page.api()
                .list(
                        NamespaceRecord.class,
                        org.api("/namespaces").with("limit", SHOWN).with("cursor", page.query("cursor")));
        Page<Transfer> transfers = org.isAdmin()
                ? page.api()
                        .list(
                                Transfer.class,
                                org.api("/transfers").with("limit", SHOWN).with("cursor", page.query("transfers")))
                : Page.of(List.of(), null);
        return org.view("Namespaces", "org/namespace/list", "namespaces")
                .with("namespaces", namespaces.data())
                .with("next", OrgPage.next(org.path("/namespaces"), namespaces))
                .with("transfers", transfers.data())
                .with(
                        "nextTransfers",
                        transfers.meta().nextCursor() == null
                                ? ""
                                : org.path("/namespaces")
                                        .with("transfers", transfers.meta().nextCursor())
                                        .toString())
                .with("isAdmin", org.isAdmin())
                .with("handle", handle)
                .with("displayName", displayName)
                .with("errors", errors)
                .refused(errors)
                .forMachines(
                        "GET " + org.api("/namespaces"),
                        "sheaf org namespaces --org " + org.organization().handle())
                .show();
    }

    private static Answer claim(PageCall page) {
        var form = page.form();
        var org = OrgPage.of(page);
        String handle = form.first("handle").orElse("");
        String displayName = form.first("displayName").orElse("");
        var members = new HashMap<String, @Nullable Object>();
        members.put("handle", handle);
        members.put("displayName", displayName.isBlank() ? null : displayName);
        try {
            page.api().post(NamespaceRecord.class, org.api("/namespaces"), members);
        } catch (ProblemException e) {
            var errors = PageCall.errors(e.problem(), "handle", "displayName");
            return list(
                    org,
                    handle,
                    displayName,
                    errors.fields().isEmpty()
                            ? FormErrors.of("handle", String.join(" ", errors.others()))
                                    .because(e.problem())
                            : errors);
        }
        return org.seeOther(org.path("/namespaces"), Notice.ok("The namespace " + Show.visible(handle) + " is yours."));
    }

    /// @param receiver the receiver of an offer, as it was typed
    static Answer one(OrgPage org, String receiver, FormErrors errors) {
        var namespace = org.page()
                .api()
                .get(NamespaceRecord.class, org.api("/namespaces/{}", org.page().parameter("namespace")));
        return org.view("Namespace " + namespace.handle(), "org/namespace/namespace", "namespaces")
                .with("namespace", namespace)
                .with("isAdmin", org.isAdmin())
                .with("receiver", receiver)
                .with("errors", errors)
                .refused(errors)
                .forMachines(
                        "GET " + org.api("/namespaces/{}", namespace.handle()),
                        "sheaf org namespaces --org " + org.organization().handle())
                .show();
    }

    private static Answer edit(PageCall page) {
        var form = page.form();
        var org = OrgPage.of(page);
        String name = page.parameter("namespace");
        try {
            page.api()
                    .patch(
                            NamespaceRecord.class,
                            org.api("/namespaces/{}", name),
                            Map.of("skillsIndex", form.first("skillsIndex").isPresent()));
        } catch (ProblemException e) {
            return one(org, "", PageCall.errors(e.problem(), "skillsIndex"));
        }
        return org.seeOther(org.path("/namespaces/{}", name), Notice.ok("The namespace is changed."));
    }
}
