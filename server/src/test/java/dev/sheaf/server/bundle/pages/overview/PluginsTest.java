package dev.sheaf.server.bundle.pages.overview;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// A bundle with a `plugin.json` is a plugin: its page and the hub say so, and what its MCP servers run.
class PluginsTest extends OnEveryStack {
    private static final String MANIFEST = """
            {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "acme.reports",
             "version": "1.0.0", "description": "Makes <b>reports</b>.", "author": {"name": "A. Author"},
             "license": "MIT", "keywords": ["one", "two"]}""";
    private static final String SERVERS = """
            {"$schema": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json", "mcpServers": {
              "local": {"type": "stdio", "command": "./bin/run.sh", "args": ["--data", "${PLUGIN_DATA}/<i>"],
                        "env": {"MODE": "quick"}},
              "remote": {"type": "streamable-http", "url": "https://mcp.example/v1", "headers": {"X-Tenant": "t"}}}}""";

    private JsonNode push(String bundle, String version, Map<String, String> files) {
        var all = new HashMap<>(files);
        all.putIfAbsent("bin/run.sh", "#!/bin/sh\n");
        var body = PublishedSkills.body(
                version,
                "public",
                all.entrySet().stream()
                        .map(file -> new PublishedSkills.File(
                                file.getKey(),
                                file.getValue().getBytes(StandardCharsets.UTF_8),
                                file.getKey().endsWith(".sh"))));
        var reply = app().post(bundle(bundle) + ":push", app().admin(), body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.json();
    }

    private JsonNode hub(String bundle) {
        return app().get("/v1/hub/bundles/" + bundle, null).json();
    }

    @Test
    void thePageShowsFirstWhatItRuns() {
        push("plugins/page", "1.0.0", Map.of("plugin.json", MANIFEST, "mcp.json", SERVERS));

        String page = app().get("/plugins/page", null).text();

        assertThat(page)
                .contains("acme.reports 1.0.0 by A. Author")
                .containsPattern("Starts <code class=\"u\">\\./bin/run\\.sh --data \\$\\{PLUGIN_DATA}/&lt;i&gt;</code>")
                .contains("sets MODE", "Connects to <code class=\"u\">https://mcp.example/v1</code>", "sends X-Tenant")
                .doesNotContain("<i>");
        assertThat(page)
                .contains(
                        "sheaf add plugins/page --allow-exec</code>",
                        "sheaf add plugins/page --allow-exec --user</code>")
                .contains("claude plugin marketplace add " + app().url()
                        + "/plugins.git &amp;&amp; claude plugin install" + " acme.reports@plugins")
                .contains("codex plugin add acme.reports@plugins", "copilot plugin install acme.reports@plugins");
        assertThat(page.indexOf("acme.reports 1.0.0")).isLessThan(page.indexOf("Look first at"));
    }

    /// As the marketplace of its namespace lists it, and nothing for programs that ask without a credential.
    @Test
    void theCommandsNameThePluginAsItIsListed() {
        push("claimed/aaa", "1.0.0", Map.of("plugin.json", MANIFEST.replace("acme.reports", "kit")));
        push("claimed/kit", "1.0.0", Map.of("plugin.json", MANIFEST.replace("acme.reports", "kit")));

        assertThat(app().get("/claimed/aaa", null).text())
                .contains("aaa@claimed")
                .doesNotContain("kit@claimed");
        assertThat(app().get("/claimed/kit", null).text()).contains("kit@claimed");
    }

    @Test
    void theHubShowsItAndFindsIt() {
        push("plugins/hub", "1.0.0", Map.of("plugin.json", MANIFEST, "mcp.json", SERVERS));

        var shown = hub("plugins/hub");
        assertThat(shown.get("bundleType").stringValue()).isEqualTo("plugin");
        assertThat(shown.get("mcpServers").toString())
                .isEqualTo("[{\"name\":\"local\",\"runs\":\"./bin/run.sh --data ${PLUGIN_DATA}/<i>\"},"
                        + "{\"name\":\"remote\",\"runs\":\"https://mcp.example/v1\"}]");
        assertThat(app().get("/v1/hub/bundles?type=plugin&q=reports", null).text())
                .contains("\"hub\"");
        assertThat(app().get("/?q=hub&namespace=plugins", null).text())
                .contains("Plugin with MCP servers", "<code>./bin/run.sh --data ${PLUGIN_DATA}/&lt;i&gt;</code>");
    }

    @Test
    void theManifestSaysWhatThePushDoesNot() {
        push("plugins/said", "1.0.0", Map.of("plugin.json", MANIFEST, "README.md", "# Other\n\nOther words.\n"));

        var about = app().get(bundle("plugins/said"), null).json();
        assertThat(about.get("name").stringValue()).isEqualTo("acme.reports");
        assertThat(about.get("description").stringValue()).isEqualTo("Makes <b>reports</b>.");
        assertThat(about.get("license").stringValue()).isEqualTo("MIT");
        assertThat(about.get("keywords").toString()).isEqualTo("[\"one\",\"two\"]");
    }

    @Test
    void thePublisherIsWarned() {
        var report = push(
                "plugins/warned",
                "2.0.0",
                Map.of("plugin.json", MANIFEST, "mcp.json", SERVERS.replace("./bin/run.sh", "./bin/gone")));

        assertThat(report.get("warnings").toString())
                .contains("\"runs-programs\"", "local: ./bin/gone", "the bundle has no file")
                .contains("is not the version of the bundle");
        assertThat(push("plugins/right", "1.0.0", Map.of("plugin.json", MANIFEST))
                        .get("warnings")
                        .toString())
                .isEqualTo("[]");
    }

    /// Warnings are the same whatever way a version comes.
    @Test
    void aVersionOfWorkingAssetsIsCheckedToo() {
        app().post("/v1/namespaces/plugins/bundles", app().admin(), """
                {"slug": "worked", "name": "Worked", "visibility": "public"}""");
        app().send("PUT", bundle("plugins/worked") + "/assets/plugin.json", app().admin(), """
                {"contentText": "{\\"$schema\\": 1}"}""");

        var report = app().post(bundle("plugins/worked") + ":publish", app().admin(), "{\"version\": \"1.0.0\"}");

        assertThat(report.text()).contains("another format");
        assertThat(app().get("/plugins/worked", null).text()).doesNotContain("Plugin for agent programs");
    }

    @Test
    void aPluginWithoutServersIsOneToo() {
        push("plugins/plain", "1.0.0", Map.of("plugin.json", MANIFEST));

        assertThat(app().get("/plugins/plain", null).text()).contains("It has no MCP servers");
        assertThat(hub("plugins/plain").get("mcpServers").isEmpty()).isTrue();
    }
}
