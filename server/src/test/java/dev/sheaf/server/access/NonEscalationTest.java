package dev.sheaf.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.SignedJWT;
import dev.sheaf.model.wire.account.Me;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.server.identity.api.oauth.TrustedPublishingScenario;
import dev.sheaf.server.testing.OAuthScenario;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.OneStack;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.text.ParseException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/// Nobody gets more by making a credential: every kind of credential tries every way to make another one, and what
/// comes of it is compared with its maker by what both can do.
@SuppressWarnings("NullAway") // set by JUnit
@OneStack
@Tag("slow")
class NonEscalationTest extends OnEveryStack {
    private static final String ORGANIZATION = "/v1/organizations/default";
    private static final String KEYS = ORGANIZATION + "/api-keys";
    private static final List<String> ROLES = List.of("owner", "admin", "publisher", "reader");
    private static final List<String> BUNDLES = List.of("esc/one", "esc/two", "other/one");
    private static final List<String> RESTRICTIONS = List.of(
            "null",
            "{\"namespaces\": [\"esc\"]}",
            "{\"bundles\": [\"esc/one\"]}",
            "{\"bundles\": [\"esc/*\", \"other/*\"]}",
            "{\"cidrs\": [\"127.0.0.0/8\"]}");

    private final List<String> keyIds = new ArrayList<>();
    private final Map<String, String> makers = new LinkedHashMap<>();
    private int count;

    @Override
    public Map<String, String> settings() {
        String issuer = TrustedPublishingScenario.issuer("github");
        return Map.of(
                "max-live-keys", "100000", "public-url", TrustedPublishingScenario.SITE, "trusted-issuers", issuer);
    }

    @Override
    public void prepare() {
        keyIds.clear();
        makers.clear();
        BUNDLES.forEach(bundle -> app().push(bundle, "1.0.0", "private", "text"));
        makeKeysAndPeople();
        makers.put("read token", exchange(app().admin(), "scope", "read").orElseThrow());
        makers.put("write token", exchange(app().admin(), "scope", "write").orElseThrow());
        makers.put(
                "admin token for 5 minutes",
                exchange(app().admin(), "expires_in", "300").orElseThrow());
        makers.put(
                "registry token",
                registry(app().admin(), "repository:esc/one:pull").orElseThrow());
        makers.put("run", run(app().admin(), "[\"esc/one\"]").orElseThrow());
        makers.put(
                "token of a run", exchange(makers.get("run"), "scope", "read").orElseThrow());
    }

    private void makeKeysAndPeople() {
        for (String scope : List.of("admin", "write", "read")) {
            for (String restrictions : RESTRICTIONS.subList(0, 4)) {
                makers.put(
                        scope + " key of " + restrictions,
                        makeKey(app().admin(), scope, restrictions, "").orElseThrow());
            }
            makers.put(
                    scope + " key for 5 minutes",
                    makeKey(app().admin(), scope, "null", ", \"expiresIn\": \"PT5M\"")
                            .orElseThrow());
        }
        for (String role : ROLES) {
            makers.put(role, app().person(role + "@esc.test", "default", role));
        }
        for (var maker : List.copyOf(makers.entrySet())) {
            if (maker.getKey().startsWith("admin")) {
                exchange(maker.getValue(), "scope", "write", "bundles", "esc/one", "expires_in", "300")
                        .ifPresent(token -> makers.put("token of " + maker.getKey(), token));
            }
        }
    }

    @TestFactory
    List<DynamicTest> nothingThatIsMadeCanDoMoreThanItsMaker() {
        return makers.entrySet().stream()
                .map(maker -> DynamicTest.dynamicTest(maker.getKey(), () -> {
                    var allowed = allowed(maker.getValue());
                    var end = end(maker.getValue());
                    for (var made : tryAll(maker.getValue()).entrySet()) {
                        assertThat(allowed(made.getValue())).as(made.getKey()).isSubsetOf(allowed);
                        if (!isLasting(maker.getKey(), made.getKey())) {
                            assertThat(end(made.getValue())).as(made.getKey()).isBeforeOrEqualTo(end);
                        }
                    }
                }))
                .toList();
    }

    /// Roles, and trust in workflows, do not end with the credential that gave them; so neither do the keys that
    /// people make by their role. An organization begins with nothing of its maker's.
    private static boolean isLasting(String maker, String made) {
        return made.startsWith("person")
                || made.startsWith("run")
                || made.equals("organization")
                || (ROLES.contains(maker) && (made.startsWith("new key") || made.startsWith("rotation")));
    }

    /// What a credential is let through to, whatever then comes of it.
    private TreeSet<String> allowed(String credential) {
        var allowed = new TreeSet<String>();
        for (String bundle : BUNDLES) {
            String path = "/v1/namespaces/" + bundle.replace("/", "/bundles/");
            note(allowed, "read " + bundle, app().get(path + ":resolve", credential));
            note(allowed, "pull " + bundle, app().get("/v2/" + bundle + "/manifests/1.0.0", credential));
            note(allowed, "push " + bundle, app().post(path + ":push", credential, """
                    {"name": "Test", "visibility": "private", "version": "1.0.0",
                     "manifest": [{"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "text"}]}"""));
            note(allowed, "restore " + bundle, app().post(path + ":restore", credential, "{}"));
            if (app().get("/v2/_catalog", credential).text().contains(bundle)) {
                allowed.add("list " + bundle);
            }
        }
        note(
                allowed,
                "namespace esc2",
                app().post(ORGANIZATION + "/namespaces", credential, "{\"handle\": \"esc-more\"}"));
        note(allowed, "audit", app().get(ORGANIZATION + "/audit-log", credential));
        note(allowed, "members", app().get(ORGANIZATION + "/members", credential));
        note(allowed, "rename", app().send("PATCH", ORGANIZATION, credential, "{}"));
        note(allowed, "policy", app().send("PUT", ORGANIZATION + "/key-policy", credential, "{}"));
        note(allowed, "keys", app().get(KEYS, credential));
        note(allowed, "administration", app().get("/v1/admin/users", credential));
        return allowed;
    }

    private static void note(TreeSet<String> allowed, String what, Reply reply) {
        if (reply.status() != 401 && reply.status() != 403 && reply.status() != 404) {
            allowed.add(what);
        }
    }

    private Instant end(String credential) throws ParseException {
        if (credential.startsWith("shf_")) {
            var end = app().get("/v1/me", credential).as(Me.class).expiresAt();
            return end == null ? Instant.MAX : end;
        }
        return SignedJWT.parse(credential).getJWTClaimsSet().getExpirationTime().toInstant();
    }

    /// Everything that could be made, by how.
    private Map<String, String> tryAll(String maker) {
        var made = new LinkedHashMap<String, Optional<String>>();
        for (String scope : List.of("admin", "write", "read")) {
            for (String restrictions : RESTRICTIONS) {
                made.put("new key, " + scope + " of " + restrictions, makeKey(maker, scope, restrictions, ""));
            }
            made.put("new key, " + scope + " for long", makeKey(maker, scope, "null", ", \"expiresIn\": \"P30D\""));
            made.put("exchange, " + scope, exchange(maker, "scope", scope));
        }
        for (String id : List.copyOf(keyIds)) {
            made.put(
                    "rotation of " + id,
                    text(app().post(KEYS + "/" + id + ":rotate", maker, "{\"overlap\": \"P1D\"}"), "key"));
        }
        made.put("exchange", exchange(maker, "expires_in", "3600"));
        made.put("exchange, bundles", exchange(maker, "bundles", "esc/* other/*"));
        made.put("exchange, namespaces", exchange(maker, "namespaces", "esc other"));
        String all = "repository:esc/one:pull,push,delete repository:esc/two:pull,push,delete";
        made.put("registry", registry(maker, all + " repository:other/one:pull,push,delete registry:catalog:*"));
        exchange(maker, "scope", "read").ifPresent(token -> made.put("registry of an exchange", registry(token, all)));
        for (String role : ROLES) {
            made.put("person invited as " + role, invited(maker, role));
            made.put("person made as " + role, person(maker, role));
        }
        made.put("run", run(maker, "[\"esc/*\", \"other/*\"]"));
        made.put("run of one", run(maker, "[\"esc/one\"]"));
        made.put(
                "organization",
                text(
                        app().post(
                                        "/v1/organizations",
                                        maker,
                                        "{\"handle\": \"esc-" + ++count + "\", \"name\": \"More\"}"),
                        "adminKey",
                        "key"));
        var working = new LinkedHashMap<String, String>();
        made.forEach((how, credential) -> credential.ifPresent(secret -> working.put(how, secret)));
        return working;
    }

    private static Optional<String> text(Reply reply, String... members) {
        if (reply.status() >= 300) {
            assertThat(reply.status()).as(reply.text()).isLessThan(500);
            return Optional.empty();
        }
        var node = reply.json();
        for (String member : members) {
            node = node.path(member);
        }
        return Optional.of(node.stringValue());
    }

    private Optional<String> makeKey(String maker, String scope, String restrictions, String more) {
        var reply = app().post(KEYS, maker, """
                {"name": "key %d", "scopes": ["%s"], "restrictions": %s%s}""".formatted(++count, scope, restrictions, more));
        var secret = text(reply, "key");
        if (maker.equals(app().admin()) && secret.isPresent()) {
            keyIds.add(reply.as(ApiKey.class).id().toString());
        }
        return secret;
    }

    private Optional<String> exchange(String maker, String... more) {
        return text(OAuthScenario.exchange(app(), maker, more), "access_token");
    }

    private Optional<String> registry(String maker, String scopes) {
        String query = Stream.of(scopes.split(" ")).reduce("", (all, scope) -> all + "&scope=" + scope);
        return text(app().get("/v2/token?service=x" + query.replace("*", "%2A"), maker), "token");
    }

    private Optional<String> invited(String maker, String role) {
        String email = "invited-" + ++count + "@esc.test";
        return text(app().post(ORGANIZATION + "/invitations", maker, """
                {"email": "%s", "role": "%s"}""".formatted(email, role)), "token")
                .map(token -> app().post("/v1/invitations:accept", null, """
                        {"token": "%s", "password": "%s"}""".formatted(token, TestApp.PASSWORD)))
                .flatMap(reply -> text(app().signIn(email, TestApp.PASSWORD), "accessToken"));
    }

    private Optional<String> person(String maker, String role) {
        String email = "made-" + ++count + "@esc.test";
        return text(app().post("/v1/admin/users", maker, """
                {"email": "%s", "password": "%s", "organization": "default", "role": "%s"}""".formatted(email, TestApp.PASSWORD, role)), "user", "id")
                .flatMap(id -> text(app().signIn(email, TestApp.PASSWORD), "accessToken"));
    }

    /// Trusts a workflow, which then publishes.
    private Optional<String> run(String maker, String bundles) {
        String repository = "esc/run-" + ++count;
        return text(
                        app().post(TrustedPublishingScenario.PUBLISHERS, maker, """
                {"provider": "github", "issuer": "%s", "repository": "%s", "bundles": %s}""".formatted(
                                        TrustedPublishingScenario.issuer("github"), repository, bundles)),
                        "id")
                .flatMap(id -> text(
                        TrustedPublishingScenario.buy(
                                app(),
                                TrustedPublishingScenario.idToken(
                                        "github", TrustedPublishingScenario.github(repository))),
                        "access_token"));
    }
}
