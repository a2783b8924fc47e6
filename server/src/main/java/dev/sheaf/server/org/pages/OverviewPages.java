package dev.sheaf.server.org.pages;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.model.wire.org.OrganizationUsage;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.KeyState;
import dev.sheaf.server.bundle.BundleList;
import dev.sheaf.server.bundle.OwnBundles;
import dev.sheaf.server.bundle.version.DeletedBundles;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.identity.Accounts;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.org.directory.NewOrganization;
import dev.sheaf.server.org.directory.Organizations;
import dev.sheaf.server.org.key.ApiKeys;
import dev.sheaf.server.org.member.Members;
import dev.sheaf.server.org.quota.QuotaCheck;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An organization: what needs a hand, its bundles and their use, what happened, its name, and the form to
/// leave it.
public final class OverviewPages {
    private static final String ONE = "/organizations/{org_id}";
    private static final ApiKeys.Filter WORKING = new ApiKeys.Filter(KeyState.ACTIVE, null);
    private static final double NEAR = 0.9;
    private static final int BUNDLES = 10;
    private static final int NAMESPACES = 5;
    private static final int MEMBERS = 5;
    private static final int KEYS = 5;
    private static final int DELETED = 5;

    private final Organizations organizations;
    private final Namespaces namespaces;
    private final QuotaCheck quotas;
    private final Members members;
    private final ApiKeys keys;
    private final OwnBundles bundles;
    private final BundleList list;
    private final DeletedBundles trash;
    private final OrgNeeds needs;
    private final OrgActivity activity;

    /// @param list the bundles of a namespace, for an organization of which no recent event is known
    public OverviewPages(
            Organizations organizations,
            Namespaces namespaces,
            QuotaCheck quotas,
            Members members,
            ApiKeys keys,
            OwnBundles bundles,
            BundleList list,
            DeletedBundles trash,
            OrgNeeds needs,
            OrgActivity activity) {
        this.organizations = organizations;
        this.namespaces = namespaces;
        this.quotas = quotas;
        this.members = members;
        this.keys = keys;
        this.bundles = bundles;
        this.list = list;
        this.trash = trash;
        this.needs = needs;
        this.activity = activity;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(ONE, page -> show(OrgPage.of(page), null, FormErrors.NONE)),
                pages.form(ONE + "/rename", RoutePermission.ADMIN, this::rename),
                pages.own(ONE + "/leave", OverviewPages::askToLeave),
                pages.form(ONE + "/leave", this::leave));
    }

    /// The usage of a quota.
    ///
    /// @param limit the limit; null means unlimited
    public record Gauge(String label, long used, @Nullable Long limit, String words) {
        static Gauge of(String label, long used, @Nullable Long limit, boolean isSize) {
            String have = isSize ? PageFormat.size(used) : PageFormat.number(used);
            String most = limit == null ? "no limit" : isSize ? PageFormat.size(limit) : PageFormat.number(limit);
            return new Gauge(label, used, limit, limit == null ? have + ", " + most : have + " of " + most);
        }

        Gauge saying(String more) {
            return new Gauge(label, used, limit, words + ", " + more);
        }

        /// Returns whether hardly anything is left.
        public boolean isNear() {
            return limit != null && used >= limit * NEAR;
        }
    }

    private Answer show(OrgPage org, @Nullable String name, FormErrors errors) {
        var page = org.page();
        var caller = page.caller();
        var usage = quotas.usage(caller);
        var organization = org.organization();
        long deleted = trash.count(caller);
        var gauges = gauges(usage, deleted);
        var recent = activity.read(page);
        var spaces = namespaces.permitted(caller, null, NAMESPACES);
        return org.view("Overview", "org/pages/overview", "overview")
                .with("org", organization)
                .with("role", org.role())
                .with("isAdmin", org.isAdmin())
                .with("mayPublish", page.may(RoutePermission.WRITE))
                .with("name", name == null ? organization.name() : name)
                .with("gauges", gauges)
                .with("usage", usage)
                .with("needs", needs.of(org, gauges))
                .with("bundles", bundles(caller, recent.bundles(), spaces))
                .with("namespaces", spaces)
                .with("pulls", PullsChart.of(bundles.pulls(caller)))
                .with("happenings", recent.happenings())
                .with("members", org.isAdmin() ? members.list(caller, null, MEMBERS) : List.of())
                .with("keys", org.isAdmin() ? keys.list(caller, WORKING, null, KEYS) : List.of())
                .with("trash", org.isAdmin() && deleted > 0 ? trash.list(caller, null, DELETED) : List.of())
                .with("deleted", deleted)
                .with("errors", errors)
                .forMachines("GET " + org.api("/usage"), "sheaf org usage --org " + organization.handle())
                .refused(errors)
                .show();
    }

    /// @param deleted the number of bundles in the trash, which count until they are gone for ever
    private static List<Gauge> gauges(OrganizationUsage usage, long deleted) {
        var bundles = Gauge.of("Bundles", usage.used().bundles(), usage.quota().bundles(), false);
        return List.of(
                Gauge.of("Storage", usage.used().bytes(), usage.quota().bytes(), true),
                deleted == 0 ? bundles : bundles.saying(PageFormat.number(deleted) + " in the trash"),
                Gauge.of("Versions", usage.used().versions(), usage.quota().versions(), false));
    }

    /// Returns the bundles that changed last. If too few events are known, the first bundles by name follow.
    private List<OwnBundles.Summary> bundles(
            Caller.Known caller, Set<RepositoryName> recent, List<NamespaceRecord> spaces) {
        var names = new LinkedHashSet<>(recent);
        for (var space : spaces) {
            if (names.size() < BUNDLES) {
                list.list(caller, new Namespace(space.handle()), BundleList.Filter.ALL, null, BUNDLES)
                        .forEach(bundle -> names.add(bundle.name()));
            }
        }
        return bundles.summaries(caller, names).stream().limit(BUNDLES).toList();
    }

    private Answer rename(PageCall page) {
        var form = page.form();
        var org = OrgPage.of(page);
        String name = form.first("name").orElse("");
        try {
            var wanted = RequestFields.patch(Map.of("name", name)).to(NewOrganization::rename);
            organizations.rename(page.origin(), wanted, any -> {});
        } catch (ProblemException e) {
            return show(org, name, PageCall.errors(e.problem(), "name"));
        }
        return org.seeOther(org.path(""), PageNotice.ok("The name is changed."));
    }

    private static Answer askToLeave(PageCall page) {
        return leaving(OrgPage.of(page), FormErrors.NONE);
    }

    private static Answer leaving(OrgPage org, FormErrors errors) {
        String name = org.organization().name();
        return org.page()
                .view("Leave " + name, "org/pages/ask")
                .with("heading", "Leave " + name + "?")
                .with(
                        "text",
                        "You are " + org.role() + " of " + org.organization().handle() + ".")
                .with(
                        "breaks",
                        List.of(
                                "You no longer see its private bundles, and your sessions no longer act for it.",
                                "The versions that you published stay, with your name.",
                                "To come back you need an invitation."))
                .with("action", org.path("/leave").toString())
                .with("button", "Leave " + name)
                .with("parent", org.path("").toString())
                .with("parentLabel", name)
                .with("keep", "Stay")
                .with("errors", errors)
                .in("organization")
                .forMachines("DELETE " + org.api("/members/me"), "")
                .refused(errors)
                .show();
    }

    private Answer leave(PageCall page) {
        var org = OrgPage.of(page);
        try {
            var origin = page.origin();
            members.remove(origin, Accounts.person(origin.caller()).userId(), any -> {});
        } catch (ProblemException e) {
            return leaving(org, PageCall.errors(e.problem()));
        }
        return page.seeOther(
                "/organizations",
                PageNotice.ok("You have left " + org.organization().name() + "."));
    }
}
