package dev.sheaf.server.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.identity.api.TotpScenario;
import dev.sheaf.server.testing.Authenticator;
import dev.sheaf.server.testing.PlainZip;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.contract.Examples;
import dev.sheaf.server.testing.contract.OpenApi;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A publisher's first day: every operation of the API that answers JSON, once at least, at times that are
/// always the same. What was answered becomes the examples of docs/openapi.yaml.
final class ExamplesScenario implements AutoCloseable {
    static final String SITE = "https://bundles.example";
    static final String OWN = "/v1/organizations/default";
    private static final String ALL = "/v1/namespaces/acme/bundles";
    private static final String NOTES = ALL + "/notes";
    private static final String HUB = "/v1/hub/bundles/acme/notes";
    private static final String SKILL = NOTES + "/assets/skills/notes/SKILL.md";

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-15T09:00:00Z"));
    private final TestApp app;
    private final Examples examples = new Examples();
    private final Set<String> seen = new TreeSet<>();
    private @Nullable String key;

    ExamplesScenario(Path folder) {
        app = TestApp.start(
                folder,
                now::get,
                Map.of(
                        "public-url",
                        SITE,
                        "ai-catalog",
                        "true",
                        "memory-budget-bytes",
                        "400000000",
                        "rate-failed-authentications",
                        "60",
                        "webhook-http",
                        "true",
                        "webhook-private-addresses",
                        "true"));
        key = app.admin();
        organization();
        edit();
        read();
        tags();
        notices();
        hub();
        upkeep();
        problems();
        clashes();
        get(NOTES + "/versions/1.1.0/passport?since=1.0.0");
        get(NOTES + "/versions/1.1.0/findings");
        removal();
        totp();
        get("/v1/limits");
        new ExamplesOfPeople(this).play();
        new ExamplesOfTokens(this).play();
        new ExamplesOfWebhooks(this).play();
        new ExamplesOfQueues(this).play();
        downloads();
        new ExamplesOfPeople(this).activity();
        as(app.person("star@bundles.example", null, null), () -> {
            send("PUT", HUB + "/star", null);
            get("/v1/hub/me/stars");
        });
        apm();
        clawHub();
        new ExamplesOfReviews(this).play();
        dependencies();
    }

    private void dependencies() {
        push("tables", "[]");
        push("reports", "[{\"bundle\": \"acme/tables\", \"range\": \"^1.0\"}]");
        get("/v1/namespaces/acme/bundles/tables/dependents");
    }

    /// Pushes a version without an example.
    private void push(String bundle, String requires) {
        app.post("/v1/namespaces/acme/bundles/" + bundle + ":push", key, """
                {"name": "%s", "version": "1.0.0", "requires": %s,
                 "manifest": [{"logicalPath": "README.md", "assetType": "prompt", "contentText": "Text"}]}""".formatted(bundle, requires));
    }

    private void clawHub() {
        get("/.well-known/clawhub.json");
        get("/api/v1/search?q=notes");
        get("/api/v1/skills?limit=1");
        get("/api/v1/whoami");
        byte[] text = "---\nname: claw\ndescription: Grips.\n---\nGrip.\n".getBytes(StandardCharsets.UTF_8);
        String file = "\"path\": \"SKILL.md\", \"size\": " + text.length + ", \"sha256\": \""
                + Digest.sha256(text).hex() + "\"";
        var ticket = post("/api/v1/skills/-/upload-url", "{" + file + "}");
        String id = ticket.json().get("uploadTicket").stringValue();
        String place = "/api/v1/skills/-/uploads/" + id;
        var sending = app.request("POST", place, key, null)
                .header("Content-Type", "text/markdown")
                .POST(BodyPublishers.ofByteArray(text));
        note("POST", place, null, app.send(sending));
        post("/api/v1/skills", """
                {"ownerHandle": "acme", "slug": "claw", "displayName": "Claw", "version": "1.0.0", "changelog": "First.",
                 "files": [{%s, "storageId": "%s", "uploadTicket": "%s"}]}""".formatted(file, id, id));
        String claw = "/api/v1/skills/claw";
        for (String part : List.of("", "/versions", "/versions/1.0.0", "/install", "/verify")) {
            get(claw + part + "?ownerHandle=acme");
        }
        get(claw + "/file?ownerHandle=acme&path=SKILL.md");
        get("/api/v1/download?slug=claw&ownerHandle=acme");
        get("/api/v1/resolve?slug=claw&ownerHandle=acme&hash=" + "0".repeat(64));
        post("/api/v1/skills/-/security-verdicts", """
                {"items": [{"ownerHandle": "acme", "slug": "claw", "version": "1.0.0"}]}""");
    }

    private void apm() {
        String versions = "/apm/v1/packages/acme/web/versions";
        publishPackage("acme/web", "1.0.0");
        get(versions);
        get(versions + "/1.0.0/download");
    }

    /// Publishes a package of APM with a skill.
    void publishPackage(String name, String version) {
        now.updateAndGet(instant -> instant.plus(Duration.ofSeconds(1)));
        String path = "/apm/v1/packages/" + name + "/versions/" + version;
        byte[] archive = new PlainZip()
                .file("apm.yml", "name: " + name + "\nversion: " + version + "\n")
                .file(".apm/skills/web/SKILL.md", "---\nname: web\ndescription: Reads the web.\n---\n")
                .end();
        var put = app.request("PUT", path, key, null)
                .header("Content-Type", "application/zip")
                .PUT(BodyPublishers.ofByteArray(archive));
        note("PUT", path, null, app.send(put));
    }

    TestApp app() {
        return app;
    }

    Examples examples() {
        return examples;
    }

    /// Operations with their statuses, as in `getBundle-200`.
    Set<String> seen() {
        return seen;
    }

    @Override
    public void close() {
        app.close();
    }

    // --- one request ---

    /// HEAD tells the same without the body.
    Reply get(String path) {
        var reply = send("GET", path, null);
        var head = app.send(app.request("HEAD", path, key, null).header("X-Request-Id", "example"));
        assertThat(head.status()).as("HEAD " + path).isEqualTo(reply.status());
        assertThat(head.header("ETag")).as("HEAD " + path).isEqualTo(reply.header("ETag"));
        assertThat(head.header("Content-Length")).as("HEAD " + path).isEqualTo(reply.header("Content-Length"));
        assertThat(head.response().body()).as("HEAD " + path).isEmpty();
        return reply;
    }

    Reply post(String path, String body) {
        return send("POST", path, body);
    }

    Reply send(String method, String path, @Nullable String body) {
        return send(method, path, body, "", "");
    }

    /// A second passes, so that everything has its order.
    Reply send(String method, String path, @Nullable String body, String header, String value) {
        now.updateAndGet(instant -> instant.plus(Duration.ofSeconds(1)));
        var request = app.request(method, path, key, body)
                .header("X-Request-Id", "example")
                .header("User-Agent", "example/1.0");
        if (!header.isEmpty()) {
            request.setHeader(header, value);
        }
        return note(method, path, body, app.send(request));
    }

    /// @param fields pairs of name and value
    Reply form(String path, String... fields) {
        now.updateAndGet(instant -> instant.plus(Duration.ofSeconds(1)));
        var reply = app.form(path, key, fields);
        assertThat(reply.status()).as(path + ": " + reply.text()).isEqualTo(200);
        return note("POST", path, reply.text().equals("{\"active\":false}") ? "inactive" : null, reply);
    }

    /// @param body of which a word may tell that it has an example of its own
    private Reply note(String method, String path, @Nullable String body, Reply reply) {
        var operation = OpenApi.document().find(method, path.split("\\?", 2)[0]);
        String id = (operation == null ? "none" : operation.id()) + "-" + reply.status();
        seen.add(id);
        if (reply.status() >= 400) {
            examples.add("problem-" + problem(reply), reply);
        } else if (reply.status() < 300 && reply.header("Content-Type").equals("application/json")) {
            examples.add(id + variant(body), reply);
        }
        return reply;
    }

    private static String variant(@Nullable String body) {
        return Stream.of("validateOnly", "inactive")
                .filter(word -> body != null && body.contains(word))
                .map(word -> "-" + word)
                .findFirst()
                .orElse("");
    }

    private static String problem(Reply reply) {
        var code = reply.json().get("code");
        return code == null ? reply.status() == 401 ? "unauthorized" : "forbidden" : code.stringValue();
    }

    // --- the day ---

    private void organization() {
        get(OWN);
        post(OWN + "/namespaces", "{\"handle\": \"acme\", \"displayName\": \"Acme\"}");
        post(OWN + "/namespaces", "{\"handle\": \"acme\", \"displayName\": \"Acme\"}");
        get(OWN + "/namespaces");
        get(OWN + "/namespaces/acme");
        send("PATCH", OWN + "/namespaces/acme", "{\"skillsIndex\": true}");
        var created = post(OWN + "/api-keys", """
                {"name": "ci", "scopes": ["write"], "description": "Publishes from CI", "expiresIn": "P90D",
                 "restrictions": {"bundles": ["acme/*"]}}""");
        get(OWN + "/api-keys");
        get(OWN + "/api-keys/" + created.json().get("id").stringValue());
        get("/v1/publisher/me");
        send("GET", OWN + "/audit-log?action=api_key.*&limit=1", null); // is sealed meanwhile, so it has no HEAD
        send("GET", "/v1/admin/audit-log?action=api_key.*&limit=1", null);
        get("/v1/runner/me");
        get("/v1/me");
        keys(created.json());
    }

    private void keys(JsonNode created) {
        String path = OWN + "/api-keys/" + created.get("id").stringValue();
        send("PATCH", path, "{\"description\": \"Publishes from the nightly build\"}");
        post(path + ":rotate", "{\"overlap\": \"P7D\"}");
        send("PUT", OWN + "/key-policy", "{\"defaultExpiry\": \"P90D\", \"maxExpiry\": \"P365D\"}");
        get(OWN + "/key-policy");
        send("PUT", OWN + "/key-policy", "{}");
        post("/v1/leaked-credentials", "{\"credentials\": [\"no credential of this registry\"]}");
    }

    private void edit() {
        post(ALL, """
                {"slug": "notes", "name": "Notes", "description": "Takes notes.", "license": "Apache-2.0",
                 "repositoryUrl": "https://git.example/acme/notes", "keywords": ["writing"]}""");
        send(
                "PUT",
                SKILL,
                "{\"contentText\": \"---\\nname: notes\\ndescription: Takes notes.\\n---\\n# Notes\\n\", \"assetType\": \"skill\"}");
        send(
                "PUT",
                SKILL,
                "{\"contentText\": \"---\\nname: notes\\ndescription: Takes notes.\\n---\\n# Notes\\n\\nWrite them down.\\n\"}");
        post(NOTES + ":publish", "{\"version\": \"1.0.0\", \"validateOnly\": true}");
        post(NOTES + ":publish", "{\"version\": \"1.0.0\", \"message\": \"First\"}");
        post(NOTES + ":publish", "{\"version\": \"1.0.0\", \"message\": \"First\"}");
        String push = """
                {"slug": "notes", "name": "Notes", "version": "1.1.0", "manifest": [
                  {"logicalPath": "skills/notes/SKILL.md", "assetType": "skill",
                   "contentText": "---\\nname: notes\\ndescription: Takes notes.\\n---\\n# Notes\\n\\nRead them again.\\n"},
                  {"logicalPath": "icon.png", "contentBase64": "iVBORw0KGgo="}]}""";
        post(NOTES + ":push", push);
        post(NOTES + ":push", push);
        send("PATCH", NOTES, "{\"visibility\": \"public\", \"readmeContent\": \"# Notes\\n\"}");
    }

    private void read() {
        get(ALL);
        get(NOTES);
        var resolved = get(NOTES + ":resolve?version=%5E1.0").json();
        get(NOTES + "/versions");
        get(NOTES + "/versions/1.1.0");
        get(NOTES + "/versions/1.0.0:diff?to=1.1.0");
        get(NOTES + "/assets");
        get(SKILL + "?version=1.1.0");
        get("/v1/runner/assets/" + resolved.at("/manifest/layers/0/assetId").stringValue());
        get(NOTES + "/contents/" + resolved.get("ociDigest").stringValue());
    }

    private void tags() {
        send("PUT", NOTES + "/tags/stable", "{\"version\": \"1.0.0\"}");
        send("PUT", NOTES + "/tags/stable", "{\"version\": \"1.1.0\", \"expectedVersion\": \"1.0.0\"}");
        get(NOTES + "/tags");
        get(NOTES + "/tags/stable");
        get(NOTES + "/tags/stable/history");
        post(NOTES + "/tags/stable:rollback", "{}");
    }

    private void notices() {
        post(
                NOTES + "/versions/1.0.0:deprecate",
                "{\"message\": \"Forgets the last line\", \"replacement\": \"1.1.0\"}");
        post(NOTES + "/versions/1.0.0:undeprecate", "{}");
        post(NOTES + "/versions/1.0.0:yank", """
                {"reason": "Loses data on rename", "reasonCode": "broken", "replacement": "1.1.0"}""");
        post(NOTES + "/versions/1.0.0:unyank", "{}");
        app.get(NOTES + "/versions/1.0.0:pull", app.admin());
        app.countDownloads();
        get(OWN + "/usage-report?list=old-versions");
        post(NOTES + ":recall", """
                {"versions": ["1.0.0"], "severity": "critical", "reason": "Sends notes to a stranger",
                 "advisory": "https://example.com/advisories/7", "replacement": "1.1.0"}""");
        get(NOTES + ":resolve?version=1.0.0");
        post("/v1/verdicts", """
                {"items": [{"namespace": "acme", "bundle": "notes", "version": "1.0.0"},
                           {"namespace": "acme", "bundle": "notes", "version": "1.1.0"},
                           {"namespace": "acme", "bundle": "other", "version": "1.0.0"}]}""");
        get("/v1/namespaces/acme/advisories");
        get("/v1/namespaces/acme/advisories.atom");
        post(NOTES + ":unrecall", "{\"versions\": [\"1.0.0\"]}");
        post(NOTES + ":deprecate", "{\"message\": \"No longer maintained\", \"replacement\": \"acme/kit\"}");
        post(NOTES + ":undeprecate", "{}");
    }

    private void hub() {
        get("/v1/hub/bundles?q=notes&facets=true&skills=true");
        get("/v1/hub/publishers/acme/bundles");
        get("/v1/hub/categories");
        get("/v1/hub/events?types=version.published&limit=1&wait=30");
        get(OWN + "/events?types=version.published&limit=1&wait=30");
        get(HUB);
        get(HUB + ":resolve");
        get(HUB + "/assets");
        get(HUB + "/assets/skills/notes/SKILL.md");
        get("/acme/notes/.well-known/agent-skills/index.json");
        get("/acme/notes/.well-known/agent-skills/versions.json");
        get("/acme/notes/.well-known/agent-skills/v1.1.0/index.json");
        get("/acme/.well-known/agent-skills/index.json");
        get("/acme/marketplace.json");
        get("/api/search?q=notes");
        post("/ard/search", "{\"query\": {\"text\": \"find me a skill that keeps notes\"}, \"pageSize\": 5}");
        get("/ard/agents/urn%3Aair%3Abundles.example%3Aacme%3Anotes");
        agents();
        send("PUT", HUB + "/star", null);
        get(HUB + "/star");
        send("DELETE", HUB + "/star", null);
        post(HUB + ":deprecate", "{\"message\": \"No longer maintained\"}");
        post(HUB + ":undeprecate", "{}");
        get("/v1/hub/me/publishers");
        app.push("acme/kit", "1.0.0", "private", "# Kit");
        String id = get(ALL + "/kit").json().get("id").stringValue();
        post("/v1/hub/publishers/acme/listings", """
                {"bundleId": "%s", "slug": "kit", "displayName": "Kit", "description": "Tools for notes."}""".formatted(id));
        get(NOTES + "/versions/1.1.0:pull?binary=base64");
        get(HUB + "/versions/1.1.0:pull?binary=base64");
    }

    private void agents() {
        post("/mcp", """
                {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                 "params": {"name": "search_bundles", "arguments": {"query": "notes"}}}""");
        for (String place : List.of("/mcp/acme", "/mcp/acme/notes")) {
            post(place, "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"resources/list\"}");
        }
    }

    private void totp() {
        as(app.person("totp@bundles.example", null, null), () -> {
            var enrolled = post("/v1/users/me/totp", TotpScenario.BODY);
            var authenticator = new Authenticator(enrolled.json().get("secret").stringValue());
            var codes = post("/v1/users/me/totp:confirm", "{\"code\": \"" + authenticator.code(now.get()) + "\"}");
            post("/v1/users/me/totp:renewRecoveryCodes", """
                    {"password": "%s", "code": "%s"}""".formatted(
                    TestApp.PASSWORD, codes.json().at("/recoveryCodes/0").stringValue()));
        });
        as(null, () -> post("/v1/sessions", """
                {"email": "totp@bundles.example", "password": "%s"}""".formatted(TestApp.PASSWORD)));
        post("/v1/admin/users/totp@bundles.example:removeTotp", "{}");
    }

    private void upkeep() {
        get(OWN + "/usage");
        send("PATCH", "/v1/admin/organizations/default/quota", "{\"bytes\": 10737418240}");
        get("/v1/admin/stats");
        send("GET", "/v1/admin/health", null); // the disk changes meanwhile, so it has no HEAD
        send("GET", "/v1/admin/operations", null);
        get("/v1/admin/mode");
        send("PUT", "/v1/admin/mode", "{\"readOnly\": false}");
        String id = post("/v1/admin/tasks", "{\"task\": \"gc\", \"dryRun\": true}")
                .json()
                .get("id")
                .stringValue();
        String run = "/v1/admin/tasks/" + id;
        app.ended(id);
        get(run);
        get("/v1/admin/tasks");
        get("/v1/admin/task-kinds");
        post(run + ":cancel", "{}");
        get("/health/live");
        send("GET", "/health/ready", null); // a busy machine may say something else to the HEAD after it
        get("/.well-known/jwks.json");
    }

    private void problems() {
        String reader = app.key("reader", "read");
        as(null, () -> get(ALL + "/plans"));
        as(reader, () -> post(NOTES + ":publish", "{}"));
        String stranger = app.secondOrganization("other");
        as(stranger, () -> post(NOTES + ":publish", "{\"version\": \"9.0.0\"}"));
        as(stranger, () -> get("/v1/admin/stats"));
        as(stranger, () -> post("/v1/organizations/other/namespaces", "{\"handle\": \"acme\"}"));
        get(ALL + "/plans");
        get(NOTES + "/versions/1.2.0");
        get(NOTES + "/tags/beta");
        get(NOTES + "/assets/missing.md");
        get("/v1/nothing");
        send("DELETE", OWN, null);
        send("GET", SKILL, null, "Accept", "image/png");
        post(NOTES + ":publish", "{\"version\": ");
        get(ALL + "?cursor=junk");
        send("POST", NOTES + ":publish", "{}", "Content-Type", "text/plain");
        post(NOTES + ":push", """
                {"visibility": "secret", "version": "1.0", "tags": ["2.x"],
                 "manifest": [{"logicalPath": "../SKILL.md", "contentText": "# Notes"}]}""");
        post(OWN + "/namespaces", "{\"handle\": \"admin\"}");
    }

    private void clashes() {
        post(NOTES + ":push", """
                {"version": "1.1.0", "manifest": [{"logicalPath": "SKILL.md", "contentText": "# Other"}]}""");
        send("PUT", NOTES + "/tags/stable", "{\"version\": \"1.1.0\", \"expectedVersion\": \"1.1.0\"}");
        send("PUT", NOTES + "/tags/stable", "{\"version\": \"1.1.0\", \"protected\": true}");
        send("PUT", NOTES + "/tags/stable", "{\"version\": \"1.0.0\"}");
        var draft = post(ALL, "{\"slug\": \"draft\", \"name\": \"Draft\"}");
        post("/v1/hub/publishers/acme/listings", """
                {"bundleId": "%s", "slug": "draft", "displayName": "Draft"}""".formatted(
                        draft.json().get("id").stringValue()));
        get(ALL + "/draft:resolve");
        post(ALL + "/draft:publish", "{\"version\": \"1.0.0\"}");
        send("PATCH", NOTES, "{}", "If-Match", "\"0\"");
        send("POST", ALL, "{\"slug\": \"once\", \"name\": \"Once\"}", "Idempotency-Key", "7f0c");
        send("POST", ALL, "{\"slug\": \"twice\", \"name\": \"Twice\"}", "Idempotency-Key", "7f0c");
        post(NOTES + ":deprecate", "{\"message\": \"" + "a".repeat(1 << 20) + "\"}");
        send("PATCH", "/v1/admin/organizations/default/quota", "{\"bytes\": 1}");
        send("PUT", NOTES + "/assets/more.md", "{\"contentText\": \"more\"}");
        send("PATCH", "/v1/admin/organizations/default/quota", "{\"bytes\": null, \"versions\": 1}");
        post(NOTES + ":publish", "{\"version\": \"1.2.0\"}");
        send("PATCH", "/v1/admin/organizations/default/quota", "{\"versions\": null}");
    }

    private void downloads() {
        app.countDownloads();
        get(NOTES + "/downloads");
        get(NOTES + "/versions/1.1.0/downloads");
        get(NOTES + "/usage?by=credential");
    }

    void as(@Nullable String other, Runnable request) {
        key = other;
        request.run();
        key = app.admin();
    }

    private void removal() {
        send("DELETE", NOTES + "/versions/1.0.0?purge=true", "{\"reason\": \"Held a password\"}");
        get(NOTES + "/versions/1.0.0");
        send("DELETE", ALL + "/kit", null);
        get(OWN + "/trash");
        post(ALL + "/kit:restore", "{}");
    }
}
