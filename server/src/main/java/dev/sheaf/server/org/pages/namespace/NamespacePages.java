package dev.sheaf.server.org.pages.namespace;

import dev.sheaf.engine.input.FormFields;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Role;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.model.wire.org.Transfer;
import dev.sheaf.server.bundle.review.BundlePolicies;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.BundlePolicyForm;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.NamespaceEdit;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.org.NewNamespace;
import dev.sheaf.server.org.directory.NamespaceTransfers;
import dev.sheaf.server.org.pages.OrgPage;
import java.util.HashMap;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The namespaces of an organization, and their transfers.
public final class NamespacePages {
    static final String ALL = "/organizations/{org_id}/namespaces";
    private static final String ONE = ALL + "/{namespace}";
    private static final int SHOWN = 50;

    private final Namespaces namespaces;
    private final NamespaceTransfers transfers;
    private final BundlePolicies policies;

    public NamespacePages(Namespaces namespaces, NamespaceTransfers transfers, BundlePolicies policies) {
        this.namespaces = namespaces;
        this.transfers = transfers;
        this.policies = policies;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(ALL, RoutePermission.READ, page -> list(OrgPage.of(page), "", "", FormErrors.NONE)),
                pages.form(ALL, RoutePermission.ADMIN, this::claim),
                pages.own(ONE, RoutePermission.READ, page -> one(OrgPage.of(page), "", FormErrors.NONE)),
                pages.form(ONE + "/edit", RoutePermission.ADMIN, this::edit),
                pages.form(ONE + "/policy", RoutePermission.ADMIN, this::setPolicy),
                pages.form(ONE + "/policy/confirm", RoutePermission.ADMIN, this::confirmPolicy));
    }

    Answer list(OrgPage org, String handle, String displayName, FormErrors errors) {
        var page = org.page();
        var caller = page.caller();
        var owned = page.paging(SHOWN)
                .list((after, limit) -> namespaces.permitted(caller, after, limit), NamespaceRecord::handle);
        Page<Transfer> offers = org.isAdmin()
                ? page.pagingBy("transfers", SHOWN)
                        .list((after, limit) -> transfers.list(caller, after, limit), Transfer::id)
                : Page.of(List.of(), null);
        return org.view("Namespaces", "org/pages/namespace/list", "namespaces")
                .with("namespaces", owned.data())
                .with("next", OrgPage.next(org.path("/namespaces"), owned))
                .with("transfers", offers.data())
                .with(
                        "nextTransfers",
                        offers.meta().nextCursor() == null
                                ? ""
                                : org.path("/namespaces")
                                        .with("transfers", offers.meta().nextCursor())
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

    private Answer claim(PageCall page) {
        var form = page.form();
        var org = OrgPage.of(page);
        String handle = form.first("handle").orElse("");
        String displayName = form.first("displayName").orElse("");
        var members = new HashMap<String, @Nullable Object>();
        members.put("handle", handle);
        members.put("displayName", displayName.isBlank() ? null : displayName);
        try {
            namespaces.create(page.origin(), RequestFields.form(members).to(NewNamespace::parse));
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
        return org.seeOther(
                org.path("/namespaces"), PageNotice.ok("The namespace " + PageFormat.visible(handle) + " is yours."));
    }

    /// @param receiver the receiver of an offer, as it was typed
    Answer one(OrgPage org, String receiver, FormErrors errors) {
        return one(org, receiver, null, errors);
    }

    /// @param typed the form of the policy, as it was typed; null if it is another form
    private Answer one(OrgPage org, String receiver, @Nullable FormFields typed, FormErrors errors) {
        var name = org.page().parameter("namespace", Namespace::parse);
        var namespace = namespaces.get(org.page().caller(), name);
        var policy = BundlePolicyForm.of(
                org.page(),
                policies.get(BundlePolicies.Place.of(name)),
                org.role().equals(Role.OWNER.toString()));
        var form = typed == null ? policy : policy.typed(typed);
        org.page().naming(org.page().names(form.actors()));
        return org.view("Namespace " + namespace.handle(), "org/pages/namespace/namespace", "namespaces")
                .with("namespace", namespace)
                .with("isAdmin", org.isAdmin())
                .with("receiver", receiver)
                .with("policy", form)
                .with("errors", errors)
                .refused(errors)
                .forMachines(
                        "GET " + org.api("/namespaces/{}", namespace.handle()),
                        "sheaf org namespaces --org " + org.organization().handle())
                .show();
    }

    private Answer edit(PageCall page) {
        var form = page.form();
        var org = OrgPage.of(page);
        String name = page.parameter("namespace");
        try {
            var edit = new NamespaceEdit(form.first("skillsIndex").isPresent());
            namespaces.edit(page.origin(), page.parameter("namespace", Namespace::parse), edit, any -> {});
        } catch (ProblemException e) {
            return one(org, "", PageCall.errors(e.problem(), "skillsIndex"));
        }
        return org.seeOther(org.path("/namespaces/{}", name), PageNotice.ok("The namespace is changed."));
    }

    private Answer setPolicy(PageCall page) {
        var form = page.form();
        return changePolicy(page, form, place -> BundlePolicyForm.save(page, policies, place));
    }

    private Answer confirmPolicy(PageCall page) {
        return changePolicy(page, null, place -> BundlePolicyForm.confirm(page, policies, place));
    }

    private Answer changePolicy(
            PageCall page, @Nullable FormFields typed, Function<BundlePolicies.Place, PageNotice> change) {
        var org = OrgPage.of(page);
        var name = page.parameter("namespace", Namespace::parse);
        try {
            var said = change.apply(BundlePolicies.Place.of(name));
            return org.seeOther(org.path("/namespaces/{}", name), said);
        } catch (ProblemException e) {
            return one(org, "", typed, BundlePolicyForm.errors(e.problem()));
        }
    }
}
