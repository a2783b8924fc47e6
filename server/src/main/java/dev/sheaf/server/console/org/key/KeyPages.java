package dev.sheaf.server.console.org.key;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.model.wire.key.KeyPolicyRecord;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.Pages;
import dev.sheaf.server.console.Show;
import dev.sheaf.server.console.org.OrgPage;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Method;
import dev.sheaf.server.http.message.Route;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An organization's keys, and the form for a new one. It first asks for the purpose, because most purposes
/// need no key.
public final class KeyPages {
    static final String ALL = "/organizations/{org_id}/keys";
    static final String API = "/api-keys";
    private static final List<String> STATES = List.of("", "active", "retiring", "disabled", "expired", "revoked");

    private final InstantSource clock;

    public KeyPages(InstantSource clock) {
        this.clock = clock;
    }

    public List<Route> routes(Pages pages) {
        return List.of(
                pages.own(ALL, this::list),
                pages.own(ALL + "/new", KeyPages::purpose),
                pages.own(
                        ALL + "/new/service",
                        page -> form(OrgPage.of(page), KeyForm.empty(page.query("bundle")), FormErrors.NONE)),
                pages.form(ALL, KeyPages::create));
    }

    private Answer list(PageCall page) {
        var org = OrgPage.of(page);
        String state = STATES.contains(Show.text(page.query("state"))) ? Show.text(page.query("state")) : "";
        String bundle = Show.text(page.query("bundle")).strip();
        var path = org.api(API).with("state", state).with("bundle", bundle);
        String call = "GET " + path;
        var errors = FormErrors.NONE;
        Page<ApiKey> keys = Page.of(List.of(), null);
        try {
            keys = page.api().list(ApiKey.class, path.with("limit", 50).with("cursor", page.query("cursor")));
        } catch (ProblemException e) {
            errors = PageCall.errors(e.problem(), "bundle");
            if (errors.of("bundle") == null) {
                throw e;
            }
        }
        var same = org.path("/keys").with("state", state).with("bundle", bundle);
        return org.view("Keys", "org/key/list", "keys")
                .with("keys", keys.data())
                .with("next", OrgPage.next(same, keys))
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
        org.permit(Method.POST, org.api(API));
        return org.view("New key", "org/key/purpose", "keys")
                .forMachines(
                        "GET " + org.api("/key-policy"),
                        "sheaf keys policy --org " + org.organization().handle())
                .show();
    }

    private static Answer form(OrgPage org, KeyForm typed, FormErrors errors) {
        var policy = org.page().api().get(KeyPolicyRecord.class, org.api("/key-policy"));
        return org.view("New key", "org/key/rights", "keys")
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

    private static Answer create(PageCall page) {
        var form = KeyForm.of(page.form());
        var org = OrgPage.of(page);
        try {
            return made(org, page.api().post(ApiKey.class, org.api(API), form.members()), null);
        } catch (ProblemException e) {
            return form(org, form, KeyForm.errors(e.problem()));
        }
    }

    /// Shows a secret once: the page is the answer to the form and is not stored.
    ///
    /// @param old the key that it replaces; null if it replaces no key
    static Answer made(OrgPage org, ApiKey key, @Nullable ApiKey old) {
        var view = org.view(key.name() + " is created", "org/key/made", "keys")
                .with("key", key)
                .with("secret", Show.text(key.key()))
                .with("replaced", old == null ? "" : old.hint());
        return (old == null
                        ? view.forMachines("POST " + org.api(API), "sheaf keys create --help")
                        : view.forMachines(
                                "POST " + org.api(API + "/{}:rotate", old.id()), "sheaf keys rotate " + old.id()))
                .show();
    }
}
