package dev.sheaf.server.org.pages.key;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.auth.KeyState;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.ShellQuoting;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Request;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.key.ApiKeys;
import dev.sheaf.server.org.key.KeyPolicies;
import dev.sheaf.server.org.key.NewKey;
import dev.sheaf.server.org.pages.OrgPage;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An organization's keys, and the form for a new one. It first asks for the purpose, because most purposes
/// need no key.
public final class KeyPages {
    static final String ALL = "/organizations/{org_id}/keys";
    static final String API = "/api-keys";
    private static final int SHOWN = 50;
    private static final List<String> STATES = List.of("", "active", "retiring", "disabled", "expired", "revoked");

    private final ApiKeys keys;
    private final KeyPolicies policies;
    private final InstantSource clock;

    public KeyPages(ApiKeys keys, KeyPolicies policies, InstantSource clock) {
        this.keys = keys;
        this.policies = policies;
        this.clock = clock;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(ALL, RoutePermission.ADMIN, this::list),
                pages.asking(ALL + "/new", RoutePermission.ADMIN, KeyPages::purpose),
                pages.own(
                        ALL + "/new/service",
                        RoutePermission.ADMIN,
                        page -> form(OrgPage.of(page), KeyForm.empty(page.query("bundle")), FormErrors.NONE)),
                pages.form(ALL, RoutePermission.ADMIN, this::create));
    }

    private Answer list(PageCall page) {
        var org = OrgPage.of(page);
        String state =
                STATES.contains(PageFormat.text(page.query("state"))) ? PageFormat.text(page.query("state")) : "";
        String bundle = PageFormat.text(page.query("bundle")).strip();
        var path = org.api(API).with("state", state).with("bundle", bundle);
        String call = "GET " + path;
        var errors = FormErrors.NONE;
        Page<ApiKey> found = Page.of(List.of(), null);
        try {
            var filter = new ApiKeys.Filter(
                    state.isEmpty() ? null : Request.named("state", state, KeyState::parse),
                    bundle.isEmpty() ? null : Request.named("bundle", bundle, RepositoryName::parse));
            var caller = page.caller();
            found = page.paging(SHOWN, "state", "bundle")
                    .list((after, limit) -> keys.list(caller, filter, after, limit), ApiKey::id);
        } catch (ProblemException e) {
            errors = PageCall.errors(e.problem(), "bundle");
            if (errors.of("bundle") == null) {
                throw e;
            }
        }
        var same = org.path("/keys").with("state", state).with("bundle", bundle);
        return org.view("Keys", "org/pages/key/list", "keys")
                .with("keys", found.data())
                .with("next", OrgPage.next(same, found))
                .with("states", STATES)
                .with("state", state)
                .with("bundle", bundle)
                .with("now", clock.instant())
                .with("errors", errors)
                .refused(errors)
                .forMachines(call, "sheaf keys list --org " + org.organization().handle())
                .show();
    }

    private static Answer purpose(PageCall page) {
        var org = OrgPage.of(page);
        return org.view("New key", "org/pages/key/purpose", "keys")
                .forMachines(
                        "GET " + org.api("/key-policy"),
                        "sheaf keys policy --org " + org.organization().handle())
                .show();
    }

    private Answer form(OrgPage org, KeyForm typed, FormErrors errors) {
        var policy = policies.get(org.page().caller().organizationId()).toWire();
        return org.view("New key", "org/pages/key/rights", "keys")
                .with("typed", typed)
                .with("periods", KeyForm.periods(policy))
                .with("errors", errors)
                .refused(errors)
                .forMachines(
                        "POST " + org.api(API),
                        "sheaf keys create deploy-bot --scope read --expires-in 90d --org "
                                + org.organization().handle())
                .show();
    }

    private Answer create(PageCall page) {
        var form = KeyForm.of(page.form());
        var org = OrgPage.of(page);
        try {
            var wanted = RequestFields.form(form.members()).to(fields -> NewKey.parse(fields, clock.instant()));
            return made(org, keys.create(page.origin(), wanted), null, "");
        } catch (ProblemException e) {
            return form(org, form, KeyForm.errors(e.problem()));
        }
    }

    /// Shows a secret once: the page is the answer to the form and is not stored.
    ///
    /// @param old the key that it replaces; null if it replaces no key
    /// @param replaced the sentence about the old key; empty if there is none
    static Answer made(OrgPage org, ApiKey key, @Nullable ApiKey old, String replaced) {
        var view = org.view(key.name() + (old == null ? " is created" : " is rotated"), "org/pages/key/made", "keys")
                .with("key", key)
                .with("secret", PageFormat.text(key.key()))
                .with("replaced", replaced);
        return (old == null
                        ? view.forMachines(
                                "POST " + org.api(API),
                                "sheaf keys create " + ShellQuoting.quote(key.name()) + " --scope "
                                        + KeyWords.scope(key) + " --org "
                                        + org.organization().handle())
                        : view.forMachines(
                                "POST " + org.api(API + "/{}:rotate", old.id()), "sheaf keys rotate " + old.id()))
                .show();
    }
}
