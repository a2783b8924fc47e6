package dev.sheaf.server.skill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Namespaces as marketplaces of Claude Code, and versions as its plugins.
class MarketplaceApiTest extends OnEveryStack {
    private static final String HOST = "https://registry.example";
    private static final String SKILL = "---\nname: a\ndescription: Says <b>\\\"a\\\"</b>.\n---\n";

    @Override
    public Map<String, String> settings() {
        return Map.of("public-url", HOST, "max-assets", "20000");
    }

    private Reply get(String path, @Nullable String key) {
        return app().get(path, key);
    }

    private static PublishedSkills.File file(String path, String text) {
        return new PublishedSkills.File(path, text.getBytes(StandardCharsets.UTF_8), path.endsWith(".sh"));
    }

    private void push(String repository, String version, String visibility, Stream<PublishedSkills.File> files) {
        var body = PublishedSkills.body(version, visibility, files);
        var reply = app().post(bundle(repository) + ":push", app().admin(), body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private Map<String, JsonNode> plugins(String namespace, @Nullable String key) {
        var reply = get("/" + namespace + "/marketplace.json", key);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        var plugins = new TreeMap<String, JsonNode>();
        reply.json()
                .get("plugins")
                .forEach(plugin -> plugins.put(plugin.get("name").stringValue(), plugin));
        return plugins;
    }

    private JsonNode plugin(String namespace, String name) {
        return Objects.requireNonNull(plugins(namespace, null).get(name), name);
    }

    private static List<String> names(byte[] zip) throws IOException {
        var names = new ArrayList<String>();
        try (var in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            for (var entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                names.add(entry.getName());
            }
        }
        return names;
    }

    @Test
    void theMarketplaceNamesArchivesByTheirDigests() throws Exception {
        push("market/kit", "1.0.0", "public", Stream.of(file("skills/a/SKILL.md", SKILL + "1")));
        push(
                "market/kit",
                "1.1.0+b",
                "public",
                Stream.of(file("skills/a/SKILL.md", SKILL + "2"), file("x/b/SKILL.md", SKILL), file("a.sh", "#!")));

        var told = get("/market/marketplace.json", null);
        var plugin = plugin("market", "kit");

        assertThat(told.json().get("name").stringValue()).isEqualTo("market");
        assertThat(told.json().at("/owner/name").stringValue()).isEqualTo("market");
        assertThat(told.header("Cache-Control")).isEqualTo("public, no-cache");
        assertThat(told.header("Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(told.header("ETag")).isNotEmpty();
        assertThat(plugin.get("version").stringValue()).isEqualTo("1.1.0+b");
        assertThat(plugin.get("strict").booleanValue()).isTrue();
        assertThat(plugin.get("skills").toString()).isEqualTo("[\"./x/b\"]");
        String url = plugin.at("/source/url").stringValue();
        assertThat(url).isEqualTo(HOST + "/market/kit@1.1.0%2Bb/plugin.zip");
        var archive = get(url.substring(HOST.length()), null);
        assertThat(plugin.at("/source/sha256").stringValue())
                .isEqualTo(Digest.sha256(archive.response().body()).hex());
        assertThat(names(archive.response().body()))
                .containsExactly(
                        ".claude-plugin/plugin.json",
                        "a.sh",
                        "gemini-extension.json",
                        "plugin.json",
                        "skills/a/SKILL.md",
                        "x/b/SKILL.md");
        assertThat(archive.header("Cache-Control")).isEqualTo("public, max-age=300");
        assertThat(archive.header("Content-Type")).isEqualTo("application/zip");
        assertThat(archive.header("Content-Disposition")).isEqualTo("attachment");
        var again = app().send(app().request("GET", "/market/kit/plugin.zip", null, null)
                .header("If-None-Match", archive.header("ETag")));
        assertThat(again.status()).isEqualTo(304);
        var head = app().send("HEAD", "/market/kit/plugin.zip", null, null);
        assertThat(head.header("Content-Length")).isEqualTo(archive.header("Content-Length"));
        assertThat(head.header("Cache-Control")).isEqualTo("public, no-cache");
    }

    /// The digests of archives are in marketplaces and lock files.
    @Test
    void theArchiveOfAVersionOfAnOlderProgramStaysAsItIs() throws Exception {
        push("older/kit", "1.0.0", "public", Stream.of(file("SKILL.md", SKILL)));
        app().database()
                .write(tx -> tx.change("UPDATE version SET plugin_files = 0 WHERE bundle_id = (SELECT bundle_id FROM"
                        + " hub_entry WHERE slug = 'kit' AND namespace = 'older')"));

        assertThat(names(get("/older/kit/plugin.zip", null).response().body())).containsExactly("SKILL.md");
    }

    /// The same files, the same bytes, whatever bundle and version they are of, unless manifests are derived.
    @Test
    void anArchiveWithAManifestDependsOnItsFilesAlone() {
        push("bytes/one", "1.0.0", "public", Stream.of(file("SKILL.md", SKILL), file("plugin.json", "{}")));
        push("bytes/two", "7.1.0", "public", Stream.of(file("SKILL.md", SKILL), file("plugin.json", "{}")));

        assertThat(get("/bytes/one/plugin.zip", null).response().body())
                .isEqualTo(get("/bytes/two@7.1.0/plugin.zip", null).response().body());
    }

    @Test
    void whatIsNoPluginIsLeftOut() {
        push("left/readme", "1.0.0", "public", Stream.of(file("README.md", "# No")));
        push("left/agents", "1.0.0", "public", Stream.of(file("agents/deep/a.md", "A")));
        push("left/commands", "1.0.0", "public", Stream.of(file("commands/a.md", "A")));
        push("left/code", "1.0.0", "public", Stream.of(file("commands/A.java", "A"), file("x/.mcp.json", "{}")));
        push("left/hooks", "1.0.0", "public", Stream.of(file("hooks/hooks.json", "{}")));
        push("left/mcp", "1.0.0", "public", Stream.of(file(".mcp.json", "{}")));
        push(
                "left/own",
                "1.0.0",
                "public",
                Stream.of(file(".claude-plugin/plugin.json", "{\"name\":\"own\"}"), file("x/a/SKILL.md", SKILL)));
        var many = IntStream.rangeClosed(0, ClaudePlugins.MAX_FILES).mapToObj(i -> file("f/" + i, "x"));
        push("left/many", "1.0.0", "public", Stream.concat(many, Stream.of(file("skills/a/SKILL.md", SKILL))));

        var plugins = plugins("left", null);

        assertThat(plugins.keySet()).containsExactly("agents", "commands", "hooks", "mcp", "own");
        assertThat(plugin("left", "own").get("strict").booleanValue()).isTrue();
        assertThat(plugin("left", "own").has("skills")).isFalse();
        for (String path : List.of("readme", "many", "code", "agents@1.0.0@a", "agents@2")) {
            assertThat(get("/left/" + path + "/plugin.zip", null).status())
                    .as(path)
                    .isEqualTo(404);
        }
    }

    @Test
    void aYankedVersionIsOnlyWhereItIsNamed() {
        push("yanked/kit", "1.0.0", "public", Stream.of(file("SKILL.md", SKILL)));
        push("yanked/kit", "1.1.0", "public", Stream.of(file("SKILL.md", SKILL + "2")));
        push("yanked/gone", "1.0.0", "public", Stream.of(file("SKILL.md", SKILL)));
        app().post(bundle("yanked/kit") + "/versions/1.1.0:yank", app().admin(), "{\"reason\": \"broken\"}");
        app().post(bundle("yanked/gone") + "/versions/1.0.0:yank", app().admin(), "{\"reason\": \"broken\"}");

        assertThat(plugins("yanked", null)).containsOnlyKeys("kit");
        assertThat(plugin("yanked", "kit").get("version").stringValue()).isEqualTo("1.0.0");
        assertThat(get("/yanked/kit@1.1.0/plugin.zip", null).status()).isEqualTo(200);
    }

    @Test
    void privateOnesAreForThoseWhoMayReadThem() {
        push("closed/secret", "1.0.0", "private", Stream.of(file("SKILL.md", SKILL)));
        push("half/open", "1.0.0", "public", Stream.of(file("SKILL.md", SKILL)));
        push("half/secret", "1.0.0", "private", Stream.of(file("SKILL.md", SKILL)));
        String other = app().secondOrganization("market-other");

        for (String path :
                List.of("/closed/marketplace.json", "/closed/secret/plugin.zip", "/half/secret/plugin.zip")) {
            assertThat(get(path, null).status()).as(path).isEqualTo(404);
            assertThat(get(path, "shf_wrong").status()).isEqualTo(401);
            assertThat(get(path, other).status()).isEqualTo(404);
            assertThat(get(path, app().admin()).status()).isEqualTo(200);
        }
        assertThat(plugins("half", null)).containsOnlyKeys("open");
        assertThat(plugins("half", other)).containsOnlyKeys("open");
        assertThat(plugins("half", app().admin())).containsOnlyKeys("open", "secret");
        var told = get("/half/marketplace.json", app().admin());
        assertThat(told.header("Cache-Control")).isEqualTo("private, no-cache");
        assertThat(told.response().headers().firstValue("Access-Control-Allow-Origin"))
                .isEmpty();
        String hidden = get("/closed/marketplace.json", null).text();
        String missing = get("/nobody/marketplace.json", null).text();
        assertThat(hidden.replaceAll("closed|\"requestId\":\"[^\"]*\"", ""))
                .isEqualTo(missing.replaceAll("nobody|\"requestId\":\"[^\"]*\"", ""));
    }
}
