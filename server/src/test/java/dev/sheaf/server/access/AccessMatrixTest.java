package dev.sheaf.server.access;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Role;
import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.model.key.Scope;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.OneStack;
import dev.sheaf.server.testing.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.json.JsonMapper;

/// Every route with every kind of caller (contract 1.4, 5.2): the table of routes says what each needs, and
/// here is what that must come to. A route that is added is tested by being in the table.
@OneStack
@Tag("slow")
class AccessMatrixTest extends OnEveryStack {
    private static final String FORBIDDEN = """
            {"type":"about:blank","title":"Forbidden","status":403,"detail":"API key requires '%s' scope"}""";

    private static final JsonMapper JSON = JsonMapper.shared();

    /// What ends memberships, sessions and keys, in this order.
    private static final List<String> LAST =
            List.of("/v1/organizations/{org_id}/members/me", "/v1/sessions/current", "/v1/api-keys/current");

    private final List<Kind> callers = new ArrayList<>();

    /// A kind of caller.
    ///
    /// @param refused why its credential is no good, or null
    /// @param own whether it is of the organization that owns the private bundle
    private record Kind(
            String name,
            @Nullable String secret,
            @Nullable String scope,
            @Nullable String refused,
            boolean own) {
        boolean isPerson() {
            return name.contains("session");
        }

        boolean isToken() {
            return name.startsWith("token");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @Override
    public void prepare() {
        callers.clear();
        assertThat(app().push("acme/secret", "1.0.0", "private", "# Secret").status())
                .isEqualTo(201);
        callers.add(new Kind("anonymous", null, null, null, false));
        callers.add(new Kind("malformed", "shf_tooshort", null, "malformed", false));
        callers.add(new Kind("wrong checksum", app().admin().substring(0, 39) + "!", null, "malformed", false));
        callers.add(new Kind("unknown", unknownKey(), null, "unknown", false));
        callers.add(new Kind("expired", expiredKey(), null, "expired", false));
        callers.add(new Kind("revoked", revokedKey(), null, "revoked", false));
        callers.add(new Kind("disabled", disabledKey(), null, "disabled", false));
        callers.add(new Kind("read", app().key("r", "read"), "read", null, true));
        callers.add(new Kind("write", app().key("w", "write"), "write", null, true));
        callers.add(new Kind("admin", app().key("a", "admin"), "admin", null, true));
        for (String role : List.of("owner", "admin", "publisher", "reader")) {
            String scope = Role.parse(role).scope().toString();
            callers.add(new Kind(
                    "session of " + role, app().person(role + "@acme.test", "default", role), scope, null, true));
        }
        callers.add(new Kind("session of nobody", app().person("nobody@acme.test", null, null), "read", null, false));
        callers.add(new Kind("retiring", rotatedKey("retiring", "P1D"), "write", null, true));
        callers.add(new Kind("rotated away", rotatedKey("rotated away", "PT0S"), null, "expired", false));
        callers.add(new Kind("other address", restrictedKey("cidrs", "192.0.2.0/24"), null, "this address", false));
        callers.add(new Kind(
                "token of read",
                token(new Grant.Delegated(Scope.READ, CredentialRestrictions.NONE)),
                "read",
                null,
                true));
        callers.add(new Kind(
                "token of admin",
                token(new Grant.Delegated(Scope.ADMIN, CredentialRestrictions.NONE)),
                "admin",
                null,
                true));
        callers.add(new Kind("restricted elsewhere", restrictedKey("bundles", "acme/other*"), "admin", null, false));
        callers.add(new Kind("restricted to queues", restrictedKey("queues", "elsewhere"), "admin", null, true));
        callers.add(new Kind("restricted to work", restrictedKey("uses", "work"), "admin", null, true));
        callers.add(new Kind("restricted to enqueue", restrictedKey("uses", "enqueue"), "admin", null, true));
        callers.add(new Kind("other organization", app().secondOrganization("other"), "admin", null, false));
        String others = app().person("owner@other.test", "other", "owner");
        callers.add(new Kind("other organization's session", others, "admin", null, false));
    }

    private String unknownKey() {
        return KeyFormat.generate().expose();
    }

    private String expiredKey() {
        var key = app().secret("""
                {"name": "short", "expiresIn": "PT1M", "scopes": ["admin"]}""");
        pass(Duration.ofMinutes(2));
        return key;
    }

    private String revokedKey() {
        var created = app().newKey("""
                {"name": "gone", "scopes": ["admin"]}""");
        var id = created.id().toString();
        assertThat(app().send("DELETE", "/v1/organizations/default/api-keys/" + id, app().admin(), null)
                        .status())
                .isEqualTo(204);
        return requireNonNull(created.key());
    }

    private String disabledKey() {
        var created = app().newKey("""
                {"name": "off", "scopes": ["admin"]}""");
        app().disable(created.id());
        return requireNonNull(created.key());
    }

    private String restrictedKey(String kind, String only) {
        return app().secret("""
                {"name": "narrow %s %s", "scopes": ["admin"], "restrictions": {"%s": ["%s"]}}""".formatted(kind, only, kind, only));
    }

    private String rotatedKey(String name, String overlap) {
        String keys = "/v1/organizations/default/api-keys";
        var created = app().newKey("""
                {"name": "%s", "scopes": ["write"]}""".formatted(name));
        var rotated = app().post(keys + "/" + created.id() + ":rotate", app().admin(), """
                {"overlap": "%s"}""".formatted(overlap));
        assertThat(rotated.status()).isEqualTo(201);
        return requireNonNull(created.key());
    }

    /// An access token of a key that stays when other callers revoke their own.
    private String token(Grant grant) {
        var key = app().newKey("""
                {"name": "of caller %d", "scopes": ["admin"]}""".formatted(callers.size()));
        return app().token(key.id(), grant);
    }

    @TestFactory
    List<DynamicTest> everyRouteWithEveryCaller() {
        var tests = new ArrayList<DynamicTest>();
        for (Route route : leavingDeletesToTheEnd(app().routes())) {
            for (Kind caller : callers) {
                if (caller.isPerson() && route.pattern().equals(LAST.getLast())) {
                    continue; // the route before has ended their sessions
                }
                tests.add(DynamicTest.dynamicTest(
                        route.method() + " " + route.pattern() + " as " + caller, () -> check(route, caller)));
            }
        }
        return tests;
    }

    /// What one of the callers may delete is gone for those after it, and at last its own key.
    private static List<Route> leavingDeletesToTheEnd(List<Route> routes) {
        return routes.stream()
                .sorted(Comparator.comparing((Route route) -> route.method() == RouteMethod.DELETE)
                        .thenComparing(route -> LAST.indexOf(route.pattern())))
                .toList();
    }

    /// What no token that was handed on may do, whatever its scope: have a say over keys, and over who else
    /// comes in.
    private static boolean isForKeysThemselves(Route route) {
        boolean isAboutAccess = Stream.of(
                        "/api-keys",
                        "/key-policy",
                        "/trusted-publishers",
                        "/members",
                        "/invitations",
                        "/webhooks",
                        "transfer")
                .anyMatch(route.pattern()::contains);
        return isAboutAccess && route.method() != RouteMethod.GET;
    }

    /// What part of an organization never acts on.
    private static boolean concernsTheWhole(Route route) {
        return Stream.of("/members", "/invitations", "/audit-log", "/usage", "/transfers", "/trash", "/webhooks")
                        .map(part -> "/v1/organizations/{org_id}" + part)
                        .anyMatch(route.pattern()::startsWith)
                || (route.pattern().contains("/habitats") && route.method() != RouteMethod.GET)
                || (route.pattern().contains("/workers") && route.method() == RouteMethod.DELETE);
    }

    private static boolean isForOthers(Route route, Kind caller) {
        return (caller.isToken() && isForKeysThemselves(route))
                || (caller.name().startsWith("restricted ") && concernsTheWhole(route));
    }

    /// What a key does not do that is confined to some uses: all that changes anything, but for these.
    private static boolean isOtherUse(Route route, Kind caller) {
        return caller.name().matches("restricted to (work|enqueue)")
                && (isStarOfKey(route, caller)
                        || !List.of("read", "public-read", "none")
                                .contains(route.need().toString()))
                && !caller.name().endsWith(route.use().isEmpty() ? "nothing" : route.use());
    }

    private Reply ask(Route route, String path, Kind caller) {
        boolean writes = List.of("POST", "PUT", "PATCH").contains(route.method().name());
        return app().send(route.method().name(), path, caller.secret(), writes ? "[]" : null);
    }

    private void check(Route route, Kind caller) {
        String path = pathOf(route);
        assertThat(path).as("the test knows every parameter").doesNotContain("{");

        Reply reply = ask(route, path, caller);

        if (route.need() == RoutePermission.NONE && !path.equals("/v2/token")) {
            assertThat(reply.status()).isNotIn(403, 500);
            assertThat(reply.status() == 401)
                    .isEqualTo(path.endsWith(":refresh")
                            || path.startsWith("/v1/scans/")); // a cookie, a token of a question
        } else if (caller.refused() != null) {
            checkRefused(route, caller.refused(), reply);
        } else if (path.equals("/v2/token")) {
            assertThat(reply.status()).isIn(200, 400, 415);
        } else if (caller.secret() == null && isDiscovery(route)) {
            assertThat(reply.status())
                    .as("public things are listed for anybody")
                    .isEqualTo(wantsBody(path) ? 400 : showsNothing(route) ? 404 : 200);
        } else if (path.equals("/v1/invitations:accept") || path.equals("/v1/verdicts")) {
            assertThat(reply.status()).as("whoever has a token, or a version").isEqualTo(422);
        } else if (caller.secret() == null) {
            assertThat(reply.status()).isEqualTo(401);
            assertThat(reply.header("WWW-Authenticate"))
                    .startsWith(isOfGit(route) ? "Basic realm=" : "Bearer realm=")
                    .doesNotContain("error=");
        } else if (!includes(caller.scope(), needed(route, caller))) {
            checkScopeMissing(route, reply, needed(route, caller));
        } else if (route.need() == RoutePermission.PERSON && !caller.isPerson()) {
            assertThat(reply.problem().code()).isEqualTo("forbidden");
        } else if (isOtherUse(route, caller)) {
            assertThat(reply.status()).isEqualTo(403);
        } else if (isDecision(path)) {
            assertThat(reply.status())
                    .as("only for people, some only for owners")
                    .isIn(403, 404, 409, 422);
        } else if (isForOthers(route, caller)) {
            assertThat(reply.status()).isIn(403, 404, 422); // the body, or what is not there, comes first
        } else if ((caller.isToken() || !caller.own() || caller.name().startsWith("restricted "))
                && path.startsWith("/v1/admin/")) {
            assertThat(reply.problem().code()).isEqualTo("not-administrator");
        } else if (!caller.own() && isOwned(route, caller)) {
            checkHidden(route, reply);
        } else {
            checkLetIn(route, reply);
        }
    }

    private static boolean isDecision(String path) {
        return path.endsWith(":approve") || path.endsWith(":reject") || path.endsWith("/policy:confirm");
    }

    private static void checkRefused(Route route, String why, Reply reply) {
        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.header("WWW-Authenticate"))
                .contains(isOfGit(route) ? "Basic realm=" : "error=\"invalid_token\"");
        assertThat(reply.text()).contains(why);
    }

    private static void checkLetIn(Route route, Reply reply) {
        if (isOfGit(route)) {
            assertThat(reply.status())
                    .as("read only, and the protocol has a form")
                    .isIn(200, 403, 415);
        } else {
            assertThat(reply.status()).as(reply.text()).isNotIn(401, 403, 500);
        }
    }

    private static boolean isOfGit(Route route) {
        return route.pattern().contains(".git");
    }

    private static void checkHidden(Route route, Reply reply) {
        boolean isReferrers = route.pattern().contains("/referrers/"); // never 404, and nothing in it
        assertThat(reply.status()).isEqualTo(isReferrers ? 200 : 404);
        assertThat(!isReferrers || reply.json().get("manifests").isEmpty()).isTrue();
    }

    private static void checkScopeMissing(Route route, Reply reply, String needed) {
        assertThat(reply.status()).isEqualTo(403);
        if (!route.pattern().startsWith("/v2")) {
            String text = FORBIDDEN.formatted(needed);
            assertThat(reply.text())
                    .isEqualTo(
                            isOfClawHub(route)
                                    ? JSON.readTree(text).get("detail").stringValue()
                                    : text);
            assertThat(reply.header("WWW-Authenticate"))
                    .contains("error=\"insufficient_scope\"", "scope=\"" + needed + "\"");
        }
    }

    /// People star for themselves, which needs no right; keys star for their organization.
    private static boolean isStarOfKey(Route route, Kind caller) {
        return route.pattern().endsWith("/star") && route.method() != RouteMethod.GET && !caller.isPerson();
    }

    private static String needed(Route route, Kind caller) {
        return isStarOfKey(route, caller) ? "write" : needed(route);
    }

    private static String needed(Route route) {
        return route.need().scope().orElseThrow().toString();
    }

    /// Whether the route asks nobody for credentials, and what it does not show is missing for all.
    private static boolean isDiscovery(Route route) {
        boolean isHub = Stream.of("/v1/hub/", "/api/search", "/{namespace}/").anyMatch(route.pattern()::startsWith)
                || (isOfClawHub(route) && !isOfSkill(route))
                || isOfCatalog(route);
        return route.need() == RoutePermission.PUBLIC_READ
                && !isOfGit(route) // which asks its helper for a credential only after a 401
                && (isHub || List.of("/mcp", "/metrics").contains(route.pattern())); // here: from this machine
    }

    /// Whether an empty list, which is sent, is not what the route reads.
    private static boolean wantsBody(String path) {
        return path.equals("/mcp") || path.endsWith("/security-verdicts");
    }

    private static boolean isOfClawHub(Route route) {
        return route.pattern().startsWith("/api/v1/");
    }

    /// Whether the route of ClawHub's API is about one skill, here the private one.
    private static boolean isOfSkill(Route route) {
        return isOfClawHub(route)
                && Stream.of("/{slug}", "/resolve", "/download").anyMatch(route.pattern()::contains);
    }

    /// Whether the route is of the catalog, which is off here.
    private static boolean isOfCatalog(Route route) {
        return Stream.of("/ard/", "/.well-known/ai-catalog", "/.well-known/ard").anyMatch(route.pattern()::startsWith);
    }

    /// Whether the hub route is about a bundle that is private, or a feed of what is public in its namespace.
    private static boolean showsNothing(Route route) {
        return route.pattern().contains("{bundle}")
                || isOfCatalog(route)
                || route.pattern().endsWith("/{namespace}/feed.atom")
                || route.pattern().endsWith("/advisories.atom")
                || route.pattern()
                        .startsWith("/{namespace}/"); // which lists its skills only where its owner wants that
    }

    private static String pathOf(Route route) {
        String query = isOfSkill(route)
                ? "?slug=secret&ownerHandle=acme&path=SKILL.md&hash=" + "0".repeat(64)
                : route.pattern().equals("/api/v1/search") ? "?q=secret" : "";
        return route.pattern()
                .replace("/api/v1/skills/{slug}", "/api/v1/skills/secret")
                .concat(query)
                .replace("{org_id}", "default")
                .replace("{key_id}", UUID.randomUUID().toString())
                .replace("{publisher_id}", UUID.randomUUID().toString())
                .replace("{namespace}", "acme")
                .replace("{bundle}", "secret")
                .replace("{version}", "1.0.0")
                .replace("{path...}", "SKILL.md")
                .replace("{tag}", "stable")
                .replace("{path...}", "SKILL.md")
                .replace("{asset_id}", UUID.randomUUID().toString())
                .replace("{reference}", "1.0.0")
                .replace("{digest}", "sha256:" + "0".repeat(64))
                .replace("{upload_id}", UUID.randomUUID().toString())
                .replace("{task_id}", UUID.randomUUID().toString())
                .replace("{invitation_id}", UUID.randomUUID().toString())
                .replace("{transfer_id}", UUID.randomUUID().toString())
                .replace("{scan_id}", UUID.randomUUID().toString())
                .replace("{webhook_id}", UUID.randomUUID().toString())
                .replace("{delivery_id}", UUID.randomUUID().toString())
                .replace("{habitat_id}", "default")
                .replace("{queue_id}", "work")
                .replaceAll(
                        "\\{(instruction|schedule|route|job|worker)_id}",
                        UUID.randomUUID().toString())
                .replace("{session_id}", UUID.randomUUID().toString())
                .replace("{user_id}", UUID.randomUUID().toString())
                .replace("{skill}", "secret")
                .replace("{identifier}", "urn:air:bundles.example:acme:secret")
                .replace("{slug}", "not-found");
    }

    /// Whether the route is about something that this caller must not see.
    private static boolean isOwned(Route route, Kind caller) {
        // a namespace that has only private bundles; a restricted key of its organization sees it empty
        boolean isMarketplace = isOfGit(route) && !caller.name().startsWith("restricted");
        return route.pattern().contains("{bundle}")
                || isMarketplace
                || isOfSkill(route)
                || (route.pattern().contains("{org_id}")
                        && (caller.name().startsWith("other")
                                || caller.scope() != null && caller.name().endsWith("nobody")));
    }

    private static boolean includes(@Nullable String scope, String needed) {
        var order = List.of("read", "write", "admin");
        return order.indexOf(scope) >= order.indexOf(needed);
    }
}
