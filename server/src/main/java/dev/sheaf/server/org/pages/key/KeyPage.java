package dev.sheaf.server.org.pages.key;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.input.SecretOverlap;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.auth.KeyState;
import dev.sheaf.server.console.FormErrors;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageNotice;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.org.key.ApiKeys;
import dev.sheaf.server.org.key.KeyChanges;
import dev.sheaf.server.org.key.KeyEdit;
import dev.sheaf.server.org.pages.OrgPage;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One key: its rights, its name, and its end.
public final class KeyPage {
    private static final String ONE = KeyPages.ALL + "/{key_id}";
    private static final int MOST_LIVE = 400;
    private static final Function<String, UUID> ID = PathId.of("API key %s");

    private final ApiKeys keys;
    private final KeyChanges changes;
    private final InstantSource clock;

    public KeyPage(ApiKeys keys, KeyChanges changes, InstantSource clock) {
        this.keys = keys;
        this.changes = changes;
        this.clock = clock;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.own(ONE, RoutePermission.ADMIN, page -> show(OrgPage.of(page), null, FormErrors.NONE)),
                pages.form(ONE + "/edit", RoutePermission.ADMIN, this::edit),
                pages.form(ONE + "/rotate", RoutePermission.ADMIN, this::rotate),
                pages.form(ONE + "/disable", RoutePermission.ADMIN, page -> turn(page, true)),
                pages.form(ONE + "/enable", RoutePermission.ADMIN, page -> turn(page, false)),
                pages.own(ONE + "/revoke", RoutePermission.ADMIN, page -> question(OrgPage.of(page), FormErrors.NONE)),
                pages.form(ONE + "/revoke", RoutePermission.ADMIN, this::revoke));
    }

    private ApiKey key(OrgPage org) {
        return keys.get(org.page().caller(), org.page().parameter("key_id", ID));
    }

    private static String id(OrgPage org) {
        return org.page().parameter("key_id");
    }

    /// @param typed the typed name and description; null if the form was not sent
    private Answer show(OrgPage org, @Nullable List<String> typed, FormErrors errors) {
        var key = key(org);
        org.page()
                .naming(org.page()
                        .names(Stream.of(PageFormat.text(key.createdBy()), PageFormat.text(key.revokedBy()))));
        return org.view(key.name(), "org/pages/key/key", "keys")
                .with("key", key)
                .with("name", typed == null ? key.name() : typed.getFirst())
                .with("description", typed == null ? PageFormat.text(key.description()) : typed.getLast())
                .with("now", clock.instant())
                .with("errors", errors)
                .refused(errors)
                .forMachines("GET " + org.api(KeyPages.API + "/{}", key.id()), "sheaf keys show " + key.id())
                .show();
    }

    private Answer edit(PageCall page) {
        var form = page.form();
        var org = OrgPage.of(page);
        String name = form.first("name").orElse("");
        String description = form.first("description").orElse("");
        try {
            patch(org, Map.of("name", name, "description", description));
        } catch (ProblemException e) {
            var errors = e.problem() instanceof Problem.NameTaken
                    ? FormErrors.of("name", "A working key already has this name. Choose another name.")
                            .because(e.problem())
                    : PageCall.errors(e.problem(), "name", "description");
            return show(org, List.of(name, description), errors);
        }
        return org.seeOther(org.path("/keys/{}", id(org)), PageNotice.ok("The description of the key is changed."));
    }

    private void patch(OrgPage org, Map<String, Object> members) {
        var edit = RequestFields.patch(members).to(KeyEdit::parse);
        changes.edit(org.page().origin(), org.page().parameter("key_id", ID), edit, any -> {});
    }

    private Answer turn(PageCall page, boolean disabled) {
        var org = OrgPage.of(page);
        try {
            patch(org, Map.of("disabled", disabled));
        } catch (ProblemException e) {
            return show(org, null, PageCall.errors(e.problem()));
        }
        return org.seeOther(
                org.path("/keys/{}", id(org)),
                PageNotice.ok(
                        disabled
                                ? "The key is disabled: it does not work until you enable it."
                                : "The key works again."));
    }

    private Answer rotate(PageCall page) {
        var form = page.form();
        var org = OrgPage.of(page);
        try {
            var old = key(org);
            var overlap = RequestFields.form(
                            Map.of("overlap", form.first("overlap").orElse("P1D")))
                    .to(SecretOverlap::parse);
            var made = changes.rotate(page.origin(), old.id(), overlap);
            var end = key(org).retiresAt(); // of the old one
            String replaced = overlap.isZero() || end == null
                    ? "It replaces " + old.hint() + ", which has ended: it works no more."
                    : "It replaces " + old.hint() + ", which still works until " + PageFormat.full(end) + ".";
            return KeyPages.made(org, made, old, replaced);
        } catch (ProblemException e) {
            return show(org, null, PageCall.errors(e.problem(), "overlap"));
        }
    }

    // --- revoking ---

    private Answer question(OrgPage org, FormErrors errors) {
        var key = key(org);
        var live = live(org);
        return org.page()
                .view("Revoke " + key.name(), "org/pages/ask")
                .with("heading", "Revoke " + key.name() + "?")
                .with("text", "The key " + key.hint() + " stops working within two seconds, on all nodes, for good.")
                .with("breaks", breaks(key, live))
                .with("action", org.path("/keys/{}/revoke", key.id()).toString())
                .with("button", "Revoke " + key.name())
                .with("parent", org.path("/keys/{}", key.id()).toString())
                .with("parentLabel", "Key " + key.name())
                .with("keep", "Keep it")
                .with("typed", isLast(key, live) ? key.name() : "")
                .with("errors", errors)
                .in("organization")
                .refused(errors)
                .forMachines("DELETE " + org.api(KeyPages.API + "/{}", key.id()), "sheaf keys revoke " + key.id())
                .show();
    }

    private static List<String> breaks(ApiKey key, List<ApiKey> live) {
        var breaks = new ArrayList<String>();
        breaks.add(
                key.lastUsedAt() == null
                        ? "No use of this key is known."
                        : "It was last used " + PageFormat.time(key.lastUsedAt())
                                + (key.lastUsedFrom() == null ? "" : " from " + key.lastUsedFrom())
                                + ". Requests with it are then refused.");
        breaks.add("Access tokens that were issued for it also end.");
        String scope = KeyWords.scope(key);
        if (!scope.equals("read") && others(key, live, scope).isEmpty()) {
            breaks.add(
                    scope.equals("admin")
                            ? "It is the last working admin key. Without one, only people who are admins can make"
                                    + " another."
                            : "No other working key can write.");
        }
        return breaks;
    }

    private static boolean isLast(ApiKey key, List<ApiKey> live) {
        return KeyWords.has(key, "admin")
                && key.state().equals("active")
                && others(key, live, "admin").isEmpty();
    }

    private static List<ApiKey> others(ApiKey key, List<ApiKey> live, String scope) {
        return live.stream()
                .filter(other -> !other.id().equals(key.id()) && KeyWords.has(other, scope))
                .toList();
    }

    /// Returns the working keys.
    private List<ApiKey> live(OrgPage org) {
        return keys.list(org.page().caller(), new ApiKeys.Filter(KeyState.ACTIVE, null), null, MOST_LIVE);
    }

    private Answer revoke(PageCall page) {
        var form = page.form();
        var org = OrgPage.of(page);
        var key = key(org);
        if (isLast(key, live(org)) && !form.first("name").orElse("").equals(key.name())) {
            return question(
                    org,
                    FormErrors.of(
                            "name",
                            "This is not the key's name. It is the last admin key, so type its name to confirm."));
        }
        try {
            changes.revoke(page.origin(), key.id(), "revoked by an admin", any -> {});
        } catch (ProblemException e) {
            return question(org, PageCall.errors(e.problem(), "name"));
        }
        return org.seeOther(org.path("/keys"), PageNotice.ok(key.name() + " (" + key.hint() + ") is revoked."));
    }
}
