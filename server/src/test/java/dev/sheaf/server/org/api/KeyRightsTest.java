package dev.sheaf.server.org.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.account.Me;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.model.wire.key.Identity;
import dev.sheaf.model.wire.key.RunnerIdentity;
import dev.sheaf.model.wire.org.NamespaceRecord;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.testing.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// No key grants more than it has (contract 5.1): every kind of caller, on every path that makes, changes or shows
/// keys, with every kind of key.
class KeyRightsTest extends KeyScenario {

    /// Restrictions by name, each with those that it covers.
    private static final Map<String, String> RESTRICTIONS = Map.of(
            "none", "{}",
            "acme", "{\"namespaces\": [\"acme\"]}",
            "acme docs", "{\"namespaces\": [\"acme\"], \"bundles\": [\"acme/docs-*\"]}",
            "docs", "{\"bundles\": [\"acme/docs-*\"]}",
            "zeta", "{\"namespaces\": [\"zeta\"]}",
            "office", "{\"cidrs\": [\"127.0.0.0/8\"]}",
            "acme office", "{\"namespaces\": [\"acme\"], \"cidrs\": [\"127.0.0.0/16\"]}");

    private static final Map<String, List<String>> COVERS = Map.of(
            "none", List.of("none", "acme", "acme docs", "docs", "zeta", "office", "acme office"),
            "acme", List.of("acme", "acme docs", "docs", "acme office"),
            "acme docs", List.of("acme docs", "docs"),
            "zeta", List.of("zeta"),
            "office", List.of("office", "acme office"));

    private final Map<String, ApiKey> admins = new LinkedHashMap<>();

    @Override
    public Map<String, String> settings() {
        return Map.of("max-live-keys", "10000");
    }

    @Override
    public void prepare() {
        COVERS.keySet().forEach(name -> admins.put(name, make(app().admin(), "admin of " + name, "admin", name)));
    }

    private ApiKey make(String by, String name, String scope, String restrictions) {
        var reply = tryToMake(by, name, scope, restrictions);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.as(ApiKey.class);
    }

    private Reply tryToMake(String by, String name, String scope, String restrictions) {
        return app().post(KEYS, by, """
                {"name": "%s", "scopes": ["%s"], "restrictions": %s}""".formatted(name, scope, RESTRICTIONS.get(restrictions)));
    }

    private ApiKey admin(String restrictions) {
        return Objects.requireNonNull(admins.get(restrictions));
    }

    @TestFactory
    List<DynamicTest> noKeyHasASayOverAWiderOne() {
        var tests = new ArrayList<DynamicTest>();
        for (String caller : COVERS.keySet()) {
            for (String target : RESTRICTIONS.keySet()) {
                boolean covered = COVERS.get(caller).contains(target);
                tests.add(DynamicTest.dynamicTest(
                        caller + (covered ? " manages " : " does not see ") + target,
                        () -> tryAll(caller, target, covered)));
            }
        }
        return tests;
    }

    private void tryAll(String callerName, String restrictions, boolean covered) {
        String caller = secret(admin(callerName));
        String name = callerName + " on " + restrictions + " ";
        for (String scope : List.of("read", "write", "admin")) {
            var made = tryToMake(caller, name + "makes " + scope, scope, restrictions);
            assertThat(made.status()).as(made.text()).isEqualTo(covered ? 201 : 422);
        }
        var target = make(app().admin(), name + "target", "admin", restrictions);
        String path = KEYS + "/" + id(target);
        assertThat(app().get(path, caller).status()).isEqualTo(covered ? 200 : 404);
        assertThat(listed(caller, "").contains(id(target))).isEqualTo(covered);
        assertThat(app().send("PATCH", path, caller, "{\"description\": \"mine\"}")
                        .status())
                .isEqualTo(covered ? 200 : 404);
        var rotated = app().post(path + ":rotate", caller, "{\"overlap\": \"PT1H\"}");
        assertThat(rotated.status()).isEqualTo(covered ? 201 : 404);
        if (covered) {
            assertThat(rotated.as(ApiKey.class).restrictions()).isEqualTo(target.restrictions());
            assertThat(rotated.as(ApiKey.class).scopes()).isEqualTo(target.scopes());
        }
        assertThat(app().send("DELETE", path, caller, null).status()).isEqualTo(covered ? 204 : 404);
        assertThat(app().get("/v1/me", secret(target)).status()).isEqualTo(covered ? 401 : 200);
        app().send("DELETE", path, app().admin(), null);
    }

    private List<String> listed(String caller, String query) {
        var ids = new ArrayList<String>();
        String next = KEYS + "?limit=100" + query;
        while (!next.isEmpty()) {
            var page = app().get(next, caller);
            assertThat(page.status()).as(page.text()).isEqualTo(200);
            page.list(ApiKey.class).forEach(key -> ids.add(id(key)));
            String link = page.header("Link");
            next = link.isEmpty() ? "" : link.substring(link.indexOf("/v1"), link.indexOf('>'));
        }
        return ids;
    }

    /// Sums and lists of the whole organization tell of what a confined key may not see.
    @Test
    void aKeyConfinedToBundlesSeesNeitherTotalsNorOtherNamespaces() {
        app().push("acme/docs-a", "1.0.0", "private", "x");
        app().push("zeta/code", "1.0.0", "private", "x");
        String organization = "/v1/organizations/default";
        for (String confined : List.of("acme", "docs", "acme docs")) {
            String key = secret(make(app().admin(), "confined to " + confined, "read", confined));

            var usage = app().get(organization + "/usage", key);
            var namespaces = app().get(organization + "/namespaces", key);

            assertThat(usage.status()).as(confined + usage.text()).isEqualTo(403);
            assertThat(usage.text()).contains("restricted to a part");
            assertThat(namespaces.list(NamespaceRecord.class))
                    .as(namespaces.text())
                    .hasSize(1);
            assertThat(namespaces.list(NamespaceRecord.class).getFirst().handle())
                    .isEqualTo("acme");
            assertThat(app().get(organization + "/namespaces/acme", key).status())
                    .isEqualTo(200);
            var other = app().get(organization + "/namespaces/zeta", key);
            assertThat(other.status()).as(other.text()).isEqualTo(404);
            assertThat(other.text()).contains("namespace zeta of this organization");
        }
        String office = secret(make(app().admin(), "of the office", "read", "office"));
        assertThat(app().get(organization + "/usage", office).status())
                .as("an address is no part")
                .isEqualTo(200);
    }

    @Test
    void widerKeyLooksMissing() {
        String caller = secret(admin("acme"));
        String wide = id(admin("none"));
        String none = UUID.randomUUID().toString();

        for (String path : List.of("", ":rotate")) {
            String method = path.isEmpty() ? "GET" : "POST";
            var hidden = app().send(method, KEYS + "/" + wide + path, caller, null);
            var missing = app().send(method, KEYS + "/" + none + path, caller, null);
            assertThat(stable(hidden, wide)).isEqualTo(stable(missing, none));
        }
    }

    private static String stable(Reply reply, String id) {
        return reply.status() + reply.text().replace(id, "ID").replaceAll("\"requestId\":\"[^\"]*\"", "");
    }

    /// What a key makes ends with it: made or rotated, of any scope, also of a key that would go on for ever.
    @Test
    void whatAKeyMakesEndsWithIt() {
        var maker = app().post(KEYS, app().admin(), """
                {"name": "ends soon", "scopes": ["admin"], "expiresIn": "P1D"}""").as(ApiKey.class);
        var forEver = make(app().admin(), "goes on for ever", "write", "none");

        var made = app().post(KEYS, secret(maker), "{\"name\": \"outlives\"}");
        var late = app().post(KEYS, secret(maker), "{\"name\": \"outlives\", \"expiresIn\": \"P2D\"}");
        var others = app().post(KEYS + "/" + id(forEver) + ":rotate", secret(maker), "{}");
        var own = app().post(KEYS + "/" + id(maker) + ":rotate", secret(maker), "{\"overlap\": \"P1D\"}");
        var again =
                app().post(KEYS + "/" + id(others.as(ApiKey.class)) + ":rotate", secret(own.as(ApiKey.class)), "{}");

        assertThat(List.of(made.status(), late.status())).containsOnly(422);
        for (var reply : List.of(others, own, again)) {
            assertThat(reply.status()).as(reply.text()).isEqualTo(201);
            assertThat(reply.as(ApiKey.class).expiresAt()).isEqualTo(maker.expiresAt());
        }
    }

    /// Nor after the overlap in which it may still be used.
    @Test
    void whatARetiringKeyMakesEndsWithItsOverlap() {
        var maker = make(app().admin(), "retires", "admin", "none");
        app().post(KEYS + "/" + id(maker) + ":rotate", app().admin(), "{\"overlap\": \"PT2H\"}");

        var made = app().post(KEYS, secret(maker), "{\"name\": \"of a retiring key\"}");
        var brief = app().post(KEYS, secret(maker), "{\"name\": \"of a retiring key\", \"expiresIn\": \"PT1H\"}");

        assertThat(made.status()).isEqualTo(422);
        assertThat(brief.status()).isEqualTo(201);
    }

    @Test
    void neitherWriteKeysNorTokensHaveASayOverKeys() {
        var target = make(app().admin(), "of nobody below", "read", "none");
        var admin = make(app().admin(), "hands on", "admin", "none");
        var id = UUID.fromString(id(admin));
        var callers = List.of(
                secret(make(app().admin(), "only writes", "write", "none")),
                app().token(id, new Grant.Delegated(Scope.ADMIN, CredentialRestrictions.NONE)),
                app().token(id, new Grant.Delegated(Scope.WRITE, CredentialRestrictions.NONE)),
                app().token(id, new Grant.Limited(Map.of())));
        String path = KEYS + "/" + id(target);
        for (String caller : callers) {
            var replies = List.of(
                    app().post(KEYS, caller, "{\"name\": \"more\"}"),
                    app().send("PATCH", path, caller, "{\"disabled\": true}"),
                    app().post(path + ":rotate", caller, "{}"),
                    app().send("DELETE", path, caller, null),
                    app().send("PUT", "/v1/organizations/default/key-policy", caller, "{}"));
            for (var reply : replies) {
                assertThat(reply.status()).isEqualTo(403);
            }
        }
        for (String token : callers.subList(1, callers.size())) {
            assertThat(app().send("DELETE", "/v1/api-keys/current", token, null).status())
                    .isEqualTo(403);
        }
        assertThat(app().get("/v1/me", secret(admin)).status()).isEqualTo(200);
        assertThat(app().get("/v1/me", secret(target)).status()).isEqualTo(200);
    }

    @Test
    void aRestrictedKeyDoesNotSetThePolicyOfAll() {
        var reply = app().send(
                        "PUT",
                        "/v1/organizations/default/key-policy",
                        secret(admin("acme")),
                        "{\"maxExpiry\": \"P1D\"}");

        assertThat(reply.status()).isEqualTo(403);
        assertThat(app().get("/v1/organizations/default/key-policy", app().admin())
                        .text())
                .isEqualTo("{}");
    }

    /// A key of another organization is nowhere, whatever its rights.
    @Test
    void anotherOrganizationsKeysAreNotThere() {
        String stranger = app().secondOrganization("strange-keys");
        String path = KEYS + "/" + id(admin("acme"));
        String own = "/v1/organizations/strange-keys/api-keys/" + id(admin("acme"));

        for (String at : List.of(path, own)) {
            assertThat(app().get(at, stranger).status()).isEqualTo(404);
            assertThat(app().send("PATCH", at, stranger, "{\"disabled\": true}").status())
                    .isEqualTo(404);
            assertThat(app().post(at + ":rotate", stranger, "{}").status()).isEqualTo(404);
            assertThat(app().send("DELETE", at, stranger, null).status()).isEqualTo(404);
        }
    }

    @Test
    void theListTellsWhichKeysReachABundleAndWhatTheyMayDoThere() {
        app().push("reach/docs-one", "1.0.0", "private", "# One");
        var all = make(app().admin(), "reaches all", "write", "none");
        var some = app().post(KEYS, app().admin(), """
                {"name": "reaches some", "restrictions": {"bundles": ["reach/docs-*"]}}""").as(ApiKey.class);
        var other = app().post(KEYS, app().admin(), """
                {"name": "reaches others", "restrictions": {"bundles": ["reach/code-*"]}}""").as(ApiKey.class);
        var off = make(app().admin(), "reaches nothing now", "read", "none");
        app().send("PATCH", KEYS + "/" + id(off), app().admin(), "{\"disabled\": true}");
        String query = "&bundle=reach/docs-one";

        var found = listed(app().admin(), query);

        assertThat(found).contains(id(all), id(some)).doesNotContain(id(other), id(off));
        assertThat(listed(app().admin(), query + "&state=disabled"))
                .contains(id(off))
                .doesNotContain(id(all));
        assertThat(listed(secret(admin("acme")), query)).doesNotContain(id(all), id(some));
        var ofOthers = app().get(
                        "/v1/organizations/reach-others/api-keys?bundle=reach/docs-one",
                        app().secondOrganization("reach-others"))
                .list(ApiKey.class);
        assertThat(ofOthers).isEmpty();
        var keys = app().get(KEYS + "?limit=100" + query, app().admin()).list(ApiKey.class);
        for (var key : keys) {
            assertThat(key.access()).isEqualTo(key.scopes().getLast());
        }
        assertThat(app().get(KEYS + "?bundle=nonsense", app().admin()).status()).isEqualTo(422);
    }

    @Test
    void eachCallerIsToldAllAboutItself() {
        var end = Instant.now().plus(Duration.ofDays(3)).toString();
        var key = app().post(KEYS, app().admin(), """
                {"name": "who", "scopes": ["write"], "expiresAt": "%s", "restrictions": {"bundles": ["acme/docs-*"]}}""".formatted(end)).as(ApiKey.class);
        app().push("acme/docs-one", "1.0.0", "private", "# One");
        String token =
                app().token(UUID.fromString(id(key)), new Grant.Delegated(Scope.READ, CredentialRestrictions.NONE));

        var me = app().get("/v1/me", secret(key)).as(Me.class);
        var byToken = app().get("/v1/me", token).as(Me.class);

        assertThat(me.credentialType()).isEqualTo("api_key");
        assertThat(me.credentialId()).isEqualTo(key.id());
        assertThat(me.scopes()).containsExactly("read", "write");
        assertThat(me.restrictions()).isEqualTo(key.restrictions());
        assertThat(me.expiresAt()).isEqualTo(key.expiresAt());
        assertThat(me.hint()).isEqualTo(key.hint());
        assertThat(me.grant()).isEqualTo("all");
        assertThat(me.organization()).extracting(Me.Owner::handle).isEqualTo("default");
        assertThat(me.namespaces()).containsExactly(new Identity.Writable("acme", "acme"));
        assertThat(byToken.grant()).isEqualTo("delegated");
        assertThat(byToken.scopes()).containsExactly("read");
        assertThat(byToken.credentialExpiresAt()).isEqualTo(key.expiresAt());
        assertThat(byToken.expiresAt()).isNotEqualTo(key.expiresAt());
        assertThat(byToken.namespaces()).isEmpty();
        var runner = app().get("/v1/runner/me", token).as(RunnerIdentity.class);
        assertThat(runner.runnerId()).isEqualTo(key.id());
        assertThat(runner.organizationName()).isEqualTo("default");
        assertThat(app().get("/v1/publisher/me", token).as(Identity.class).credentialName())
                .isEqualTo("who");
    }
}
