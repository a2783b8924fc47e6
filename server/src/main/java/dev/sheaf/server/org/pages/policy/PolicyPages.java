package dev.sheaf.server.org.pages.policy;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.work.PeriodField;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.key.KeyPolicies;
import dev.sheaf.server.org.key.KeyPolicy;
import dev.sheaf.server.org.pages.OrgPage;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The key policy of an organization: the lifetime of keys.
public final class PolicyPages {
    private static final String PATH = "/organizations/{org_id}/policies";
    private static final String API = "/key-policy";
    private static final String DEFAULT = "defaultExpiry";
    private static final String MAX = "maxExpiry";

    private final KeyPolicies policies;

    public PolicyPages(KeyPolicies policies) {
        this.policies = policies;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(PATH, RoutePermission.ADMIN, this::shown),
                pages.form(PATH, RoutePermission.ADMIN, this::set));
    }

    private Answer shown(PageCall page) {
        var org = OrgPage.of(page);
        var policy = policies.get(page.caller().organizationId()).toWire();
        return show(
                org, PeriodField.days(policy.defaultExpiry()), PeriodField.days(policy.maxExpiry()), FormErrors.NONE);
    }

    private static Answer show(OrgPage org, String usual, String most, FormErrors errors) {
        return org.view("Policies", "org/pages/policy/policies", "policies")
                .with("usual", usual)
                .with("most", most)
                .with("errors", errors)
                .refused(errors)
                .forMachines(
                        "PUT " + org.api(API),
                        "sheaf keys policy --default 90d --max 365d --org "
                                + org.organization().handle())
                .show();
    }

    private Answer set(PageCall page) {
        var form = page.form();
        var org = OrgPage.of(page);
        String usual = form.first(DEFAULT).orElse("");
        String most = form.first(MAX).orElse("");
        var members = new HashMap<String, @Nullable Object>();
        members.put(DEFAULT, PeriodField.period(usual));
        members.put(MAX, PeriodField.period(most));
        try {
            policies.set(page.origin(), RequestFields.form(members).to(KeyPolicy::parse), any -> {});
        } catch (ProblemException e) {
            return show(org, usual, most, PageCall.errors(e.problem(), DEFAULT, MAX));
        }
        return org.seeOther(org.path("/policies"), PageNotice.ok("The policy applies to new keys from now on."));
    }
}
