package dev.sheaf.server.access;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.bundle.Asset;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.bundle.api.model.BundleClient;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What somebody without rights is answered about a private bundle is, to the byte, what is answered about one
/// that does not exist: on every route of the table, with all sorts of requests.
@Tag("slow")
class VisibilityTest extends OnEveryStack {
    private static final Pattern ID =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}");

    /// Headers of which the value is another one at every request.
    private static final List<String> PASSING = List.of("date", "x-request-id", "traceparent", "server-timing");

    private static final String LAYER =
            Digest.sha256("# Secret".getBytes(StandardCharsets.UTF_8)).toString();

    private final Map<String, String> callers = new LinkedHashMap<>();
    private String digest = "";
    private String upload = "";
    private String asset = "";
    private boolean isReady;

    /// A bundle `hidden/secret` with a version, tags, a working copy and an upload that has begun, in a
    /// namespace with nothing public; nobody has claimed `absent`, and `hidden/nobody` is not there.
    @BeforeEach
    void begin() {
        if (isReady
                && app().get("/v1/namespaces/hidden/bundles/secret", app().admin())
                                .status()
                        == 200) {
            return;
        }
        isReady = true;
        var pushed = app().push("hidden/secret", "1.0.0", "private", "# Secret");
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        digest = requireNonNull(pushed.as(VersionDetail.class).ociDigest());
        app().push("public/things", "1.0.0", "public", "# Public");
        var client = new BundleClient(app(), "hidden/secret");
        client.tag("stable", dev.sheaf.model.Version.parse("1.0.0"), null);
        client.edit("SKILL.md", "edited");
        asset = client.get("/assets?version=1.0.0")
                .list(Asset.class)
                .getFirst()
                .id()
                .toString();
        upload = app().send("POST", "/v2/hidden/secret/blobs/uploads/", app().admin(), null)
                .header("Location")
                .replaceAll(".*/", "");
        callers.put("anonymous", null);
        callers.put("other", app().secondOrganization("other"));
        callers.put("restricted", app().secret("""
                {"name": "narrow", "scopes": ["admin"], "restrictions": {"bundles": ["public/things"]}}"""));
    }

    private static List<String> bodies(Route route) {
        if (List.of(RouteMethod.GET, RouteMethod.DELETE).contains(route.method())) {
            return List.of("");
        }
        return List.of(
                "",
                "[]",
                "{}",
                "{\"version\": \"1.0.0\"}",
                "{\"version\": \"1.0.0\", \"expectedVersion\": \"1.0.0\", \"protected\": true}",
                "{\"visibility\": \"public\", \"name\": \"x\"}",
                "{\"message\": \"old\"}",
                "{\"reason\": \"x\"}",
                "{\"contentText\": \"x\"}",
                "{\"slug\": \"NAME\", \"name\": \"x\"}",
                "{\"slug\": \"NAME\", \"displayName\": \"x\", \"bundleId\": \"" + new UUID(1, 2) + "\"}",
                "{\"name\": \"x\", \"version\": \"2.0.0\", \"manifest\": [{\"logicalPath\": \"a\", \"contentText\": \"b\"}]}",
                "{\"schemaVersion\":2,\"mediaType\":\"application/vnd.oci.image.manifest.v1+json\",\"config\":{\"mediaType\":"
                        + "\"application/vnd.oci.empty.v1+json\",\"digest\":\"" + LAYER
                        + "\",\"size\":8},\"layers\":[]}");
    }

    private static final List<String> QUERIES = List.of(
            "",
            "?version=1.0.0&to=1.0.0&tag=stable",
            "?version=%5E1&limit=1&digest=" + LAYER,
            "?limit=zero&version=%00&to=%00&order=zz&cursor=zz&digest=zz&asOf=zz&minAge=zz&purge=zz&n=zz&last=zz",
            "?purge=true&reason=x&asOf=2999-01-01T00:00:00Z");

    private static final List<Map<String, String>> HEADERS = List.of(
            Map.of(),
            Map.of("If-None-Match", "*", "Range", "bytes=0-1", "Accept", "application/octet-stream"),
            Map.of("If-Match", "\"x\"", "Idempotency-Key", "owner", "Accept", "text/html"));

    @Test
    void aPrivateBundleIsAnsweredAsOneThatIsMissing() {
        var soft = new SoftAssertions();
        int compared = 0;
        // under the key that the others send too
        app().send(app().request("POST", "/v1/namespaces/hidden/bundles/secret:push", app().admin(), "{}")
                .header("Idempotency-Key", "owner"));
        for (var route : app().routes()) {
            boolean names = route.pattern().contains("{bundle}") // or its body does
                    || route.pattern().contains("{namespace}") && route.method() == RouteMethod.POST;
            if (names || route.pattern().contains("{asset_id}")) {
                for (String caller : callers.keySet()) {
                    compared += compare(soft, route, caller, "hidden", "secret", "hidden", "nobody");
                }
            }
        }
        soft.assertAll();
        assertThat(compared).isGreaterThan(1_500);
    }

    /// A namespace in which nothing is public, against one that nobody has claimed. Of its own namespaces an
    /// organization's keys may know.
    @Test
    void aNamespaceWithNothingPublicIsAnsweredAsAFreeOne() {
        var soft = new SoftAssertions();
        for (var route : app().routes()) {
            if (route.pattern().contains("{namespace}")
                    && !route.pattern().contains("{bundle}")
                    && !route.pattern().contains("{org_id}")
                    && route.method() == RouteMethod.GET) {
                for (String caller : callers.keySet()) {
                    compare(soft, route, caller, "hidden", "secret", "absent", "secret");
                }
            }
        }
        soft.assertAll();
    }

    private int compare(
            SoftAssertions soft,
            Route route,
            String caller,
            String namespace,
            String name,
            String other,
            String missing) {
        var bodies = bodies(route);
        int count = Math.max(QUERIES.size() * HEADERS.size(), bodies.size());
        for (int i = 0; i < count; i++) { // the three lengths have no common divisor
            String query = QUERIES.get(i % QUERIES.size());
            var headers = HEADERS.get(i % HEADERS.size());
            String body = bodies.get(i % bodies.size());
            soft.assertThat(answer(route, caller, namespace, name, query, headers, body))
                    .as("%s %s%s %s %s as %s", route.method(), route.pattern(), query, headers, body, caller)
                    .isEqualTo(answer(route, caller, other, missing, query, headers, body));
        }
        return count;
    }

    private String answer(
            Route route,
            String caller,
            String namespace,
            String name,
            String query,
            Map<String, String> headers,
            String body) {
        boolean isThere = name.equals("secret");
        String path = route.pattern()
                .replace("{org_id}", "default")
                .replace("{namespace}", namespace)
                .replace("{bundle}", name)
                .replace("{version}", "1.0.0")
                .replace("{path...}", "SKILL.md")
                .replace("{tag}", "stable")
                .replace("{skill}", "secret.zip")
                .replace("{asset_id}", isThere ? asset : UUID.randomUUID().toString())
                .replace("{reference}", query.contains("digest") ? digest : "1.0.0")
                .replace("{digest}", query.contains("reason") ? digest : LAYER)
                .replace("{upload_id}", upload);
        assertThat(path).as("the test knows every parameter").doesNotContain("{");
        var request = app().request(
                        route.method().name(),
                        path + query,
                        callers.get(caller),
                        body.isEmpty() ? null : body.replace("NAME", name));
        headers.forEach(request::header);
        return masked(app().send(request), namespace, name);
    }

    /// All of an answer but for what is another one at every request, and the names that were asked for.
    private static String masked(Reply reply, String namespace, String name) {
        var lines = new ArrayList<String>();
        lines.add(String.valueOf(reply.status()));
        new TreeMap<>(reply.response().headers().map()).forEach((header, values) -> {
            if (!PASSING.contains(header.toLowerCase(java.util.Locale.ROOT))) {
                lines.add(header + ": " + values);
            }
        });
        lines.add(reply.text());
        return ID.matcher(String.join("\n", lines))
                .replaceAll("ID")
                .replace(namespace + "/bundles/" + name, "NAME")
                .replace(namespace + "/" + name, "NAME")
                .replace(namespace, "NAMESPACE")
                .replace("NAMESPACE/" + name, "NAME");
    }

    // --- lists ---

    private static final List<String> LISTS = List.of(
            "/v1/hub/bundles",
            "/v1/hub/bundles?q=unheardof",
            "/v1/hub/bundles?q=veiled",
            "/v1/hub/bundles?q=veiled%2Fkit&sort=downloads",
            "/v1/hub/bundles?category=finance&sort=trending",
            "/v1/hub/bundles?type=prompt&sort=stars",
            "/v1/hub/categories",
            "/v1/hub/publishers/veiled/bundles",
            "/v1/hub/publishers/public/bundles",
            "/v1/hub/feed.atom",
            "/v1/hub/publishers/public/feed.atom",
            "/v1/hub/publishers/veiled/feed.atom",
            "/v1/hub/bundles/public/things",
            "/v1/hub/bundles/public/things/feed.atom",
            "/v1/hub/bundles/public/things/badge.svg",
            "/v1/namespaces/veiled/bundles",
            "/v1/namespaces/public/bundles",
            "/v1/namespaces/public/bundles?q=unheardof",
            "/v1/namespaces/public/bundles?visibility=private",
            "/v1/namespaces/public/bundles/thing",
            "/v1/namespaces/public/bundles/things:resolve?version=9.9.9",
            "/v2/_catalog?n=1000",
            "/v2/public/things/tags/list",
            "/v2/veiled/kit/referrers/" + LAYER,
            "/v2/token?scope=repository:veiled/kit:pull,push",
            "/v1/publisher/me",
            "/v1/organizations/other/usage",
            "/v1/organizations/default/usage");

    @Test
    void noListOrCountOrFeedKnowsOfAPrivateBundle() {
        var keys = new LinkedHashMap<>(callers);
        var before = lists(keys);
        for (String name : List.of("veiled/kit", "public/thing1")) {
            app().push(name, "1.0.0", "private", "unheardof words");
            app().send("PATCH", "/v1/namespaces/" + name.replace("/", "/bundles/"), app().admin(), """
                    {"name": "Unheardof", "description": "unheardof", "keywords": ["finance", "unheardof"],
                     "readmeContent": "unheardof"}""");
        }

        var after = lists(keys);

        var soft = new SoftAssertions();
        before.forEach(
                (what, answer) -> soft.assertThat(after.get(what)).as(what).isEqualTo(answer));
        soft.assertAll();
    }

    private Map<String, String> lists(Map<String, String> keys) {
        var answers = new TreeMap<String, String>();
        keys.forEach((caller, key) -> LISTS.forEach(path -> {
            boolean isOwnUsage = path.equals("/v1/organizations/default/usage") && caller.equals("restricted");
            if (!isOwnUsage) { // which the organization's own keys may know
                answers.put(
                        caller + " " + path,
                        masked(app().get(path, key), "-", "-")
                                .replaceAll("\"(token|access_token|issued_at)\":\"[^\"]*\"", "TOKEN"));
            }
        }));
        return answers;
    }

    // --- what else could tell ---

    private String say(@Nullable String key, String method, String path, String name) {
        return masked(app().send(app().request(method, path, key, null)), "hidden", name);
    }

    @Test
    void mountsTellNothing() {
        String key = callers.get("other");
        app().post("/v1/namespaces/other/bundles", key, "{\"slug\": \"kit\", \"name\": \"Kit\"}");

        String uploads = "/v2/other/kit/blobs/uploads/?mount=" + LAYER;

        assertThat(say(key, "POST", uploads + "&from=hidden/secret", "secret"))
                .startsWith("202")
                .isEqualTo(say(key, "POST", uploads + "&from=hidden/nobody", "nobody"));
        assertThat(say(key, "POST", uploads, "-"))
                .isEqualTo(say(
                        key,
                        "POST",
                        uploads.replace(LAYER, Digest.sha256(new byte[1]).toString()),
                        "-"));
    }

    /// Whoever has no room left is not told by that, either, what is there.
    @Test
    void quotasTellNothing() {
        String key = app().secondOrganization("full");
        app().send("PATCH", "/v1/admin/organizations/full/quota", app().admin(), "{\"bytes\": 1, \"bundles\": 1}");
        String push = """
                {"name": "x", "version": "2.0.0", "manifest": [{"logicalPath": "a", "contentText": "b"}]}""";

        for (String namespace : List.of("hidden")) {
            var answers = new ArrayList<String>();
            for (String name : List.of("secret", "nobody")) {
                String path = "/v1/namespaces/" + namespace + "/bundles";
                answers.add(masked(app().post(path + "/" + name + ":push", key, push), namespace, name)
                        + masked(
                                app().post(path, key, "{\"slug\": \"" + name + "\", \"name\": \"x\"}"), namespace, name)
                        + masked(
                                app().post("/v2/" + namespace + "/" + name + "/blobs/uploads/", key, ""),
                                namespace,
                                name)
                        + masked(
                                app().send("PUT", path + "/" + name + "/assets/a", key, "{\"contentText\": \"b\"}"),
                                namespace,
                                name));
            }
            assertThat(answers.get(0)).isEqualTo(answers.get(1));
        }
    }
}
