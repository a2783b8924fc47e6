package dev.sheaf.server.git;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Versions as plugins for git, and namespaces as marketplaces.
class MarketplaceGitTest extends GitScenario {
    private static final String SKILL = "---\nname: a\ndescription: Says \"a\".\n---\n";
    private static final String MANIFEST = """
            {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "%s"}""";
    private static final JsonMapper JSON = new JsonMapper();

    private String market(String namespace) {
        return app().url() + "/" + namespace + ".git";
    }

    private JsonNode plugins(String clone) throws IOException {
        return JSON.readTree(read(clone + "/.claude-plugin/marketplace.json")).get("plugins");
    }

    private String commit(String ref) {
        return git().run("ls-remote", url(ref.split("#")[0]), ref.split("#")[1]).split("\t")[0];
    }

    @Test
    void aVersionHasACommitWithManifests() throws IOException {
        publish("derive/kit", "1.0.0", Map.of("skills/a/SKILL.md", SKILL, "x.txt", "x"));
        publish("derive/kit", "1.1.0", Map.of("skills/a/SKILL.md", SKILL));

        clone("derive/kit", "kit", "--branch", "plugin/1.0.0");

        assertThat(read("kit/plugin.json"))
                .isEqualTo("{\"$schema\":\"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\","
                        + "\"description\":\"Says \\\"a\\\".\",\"name\":\"kit\",\"version\":\"1.0.0\"}\n");
        assertThat(folder().resolve("kit/.claude-plugin/plugin.json")).exists();
        assertThat(folder().resolve("kit/gemini-extension.json")).exists();
        assertThat(read("kit/x.txt")).isEqualTo("x");
        assertThat(git("kit").run("rev-parse", "plugin/1.0.0^"))
                .isEqualTo(git("kit").run("rev-parse", "1.0.0"));
        assertThat(git("kit").run("rev-parse", "1.1.0^")).isEqualTo(git("kit").run("rev-parse", "1.0.0"));
        assertThat(git("kit").run("ls-tree", "--name-only", "1.1.0")).isEqualTo("skills\n");
        assertThat(git("kit").run("fsck", "--strict")).doesNotContain("error", "warning");
    }

    @Test
    void nothingIsDerivedForAPluginWithAManifest() {
        publish("derive/own", "1.0.0", Map.of("plugin.json", MANIFEST.formatted("mine"), "skills/a/SKILL.md", SKILL));
        publish("derive/none", "1.0.0", Map.of("a.txt", "a"));

        assertThat(git().run("ls-remote", url("derive/own")))
                .contains("refs/tags/1.0.0")
                .doesNotContain("plugin/");
        assertThat(git().run("ls-remote", url("derive/none")))
                .contains("refs/tags/1.0.0")
                .doesNotContain("plugin/");
    }

    @Test
    void aMarketplaceListsTheLatestVersionOfEachPlugin() throws IOException {
        publish("market/kit", "1.0.0", Map.of("skills/a/SKILL.md", SKILL));
        publish("market/kit", "1.1.0", Map.of("skills/a/SKILL.md", SKILL, "x/b/SKILL.md", SKILL.replace(": a", ": b")));
        publish("market/own", "2.0.0", Map.of("plugin.json", MANIFEST.formatted("mine")));
        publish("market/text", "1.0.0", Map.of("a.txt", "a"));

        git().run("clone", market("market"), "market");

        assertThat(git("market").run("log", "--format=%an %ae %s%n%P"))
                .isEqualTo("market market@sheaf.invalid Plugins of market\n\n");
        assertThat(git("market").run("fsck", "--strict")).doesNotContain("error", "warning");
        for (String place : new String[] {".agents/plugins", ".cursor-plugin"}) {
            assertThat(read("market/" + place + "/marketplace.json"))
                    .isEqualTo(read("market/.claude-plugin/marketplace.json"));
        }
        var listed = plugins("market");
        assertThat(listed.size()).isEqualTo(2);
        assertThat(listed.get(0).toString())
                .isEqualTo(
                        "{\"name\":\"kit\",\"description\":\"Says \\\"a\\\".\",\"version\":\"1.1.0\",\"strict\":true,\"skills\":[\"./x/b\"],"
                                + "\"source\":{\"source\":\"url\",\"url\":\"" + url("market/kit")
                                + "\",\"ref\":\"plugin/1.1.0\","
                                + "\"sha\":\"" + commit("market/kit#refs/tags/plugin/1.1.0") + "\"}}");
        assertThat(listed.get(1).get("name").stringValue()).isEqualTo("mine");
        assertThat(listed.get(1).at("/source/ref").stringValue()).isEqualTo("2.0.0");
        assertThat(listed.get(1).at("/source/sha").stringValue()).isEqualTo(commit("market/own#refs/tags/2.0.0"));
        assertThat(app().get("/market.git", null).text()).contains(market("market"));
    }

    /// Else a key for one bundle could replace what another offers.
    @Test
    void noBundleIsListedUnderTheNameOfAnother() throws IOException {
        publish("claim/aaa", "1.0.0", Map.of("plugin.json", MANIFEST.formatted("kit")));
        publish("claim/kit", "1.0.0", Map.of("plugin.json", MANIFEST.formatted("kit")));

        git().run("clone", market("claim"), "claim");

        var listed = plugins("claim");
        assertThat(listed.get(0).get("name").stringValue()).isEqualTo("aaa");
        assertThat(listed.get(1).get("name").stringValue()).isEqualTo("kit");
        assertThat(listed.get(1).at("/source/url").stringValue()).isEqualTo(url("claim/kit"));
    }

    @Test
    void equalEntriesGiveTheSameCommitAndNewOnesAnother() {
        publish("same/kit", "1.0.0", Map.of("SKILL.md", SKILL));
        String first = git().run("ls-remote", market("same"), "refs/heads/main");

        assertThat(git().run("ls-remote", market("same"), "refs/heads/main")).isEqualTo(first);
        assertThat(git().with("-c", "protocol.version=0").run("ls-remote", market("same"), "refs/heads/main"))
                .isEqualTo(first);
        assertThat(known(git(), app().admin()).run("ls-remote", market("same"), "refs/heads/main"))
                .as("an owner who may read no more")
                .isEqualTo(first);

        publish("same/more", "1.0.0", Map.of("SKILL.md", SKILL));
        assertThat(git().run("ls-remote", market("same"), "refs/heads/main")).isNotEqualTo(first);
    }

    /// A fetch of it replaces the old commit: they are unrelated.
    @Test
    void aCloneFollowsTheMarketplace() throws IOException {
        publish("follow/kit", "1.0.0", Map.of("SKILL.md", SKILL));
        git().run("clone", "--depth", "1", market("follow"), "follow");
        publish("follow/kit", "1.1.0", Map.of("SKILL.md", SKILL));

        git("follow").run("fetch", "origin");
        git("follow").run("reset", "--hard", "origin/main");

        assertThat(plugins("follow").get(0).get("version").stringValue()).isEqualTo("1.1.0");
    }

    @Test
    void privatePluginsAreForThoseWhoMayReadThem() throws IOException {
        publish("mixed/open", "1.0.0", Map.of("SKILL.md", SKILL));
        publish("mixed/closed", "1.0.0", "private", Map.of("SKILL.md", SKILL));

        git().run("clone", market("mixed"), "anybody");
        known(git(), app().admin()).run("clone", market("mixed"), "owner");

        assertThat(plugins("anybody").size()).isEqualTo(1);
        assertThat(plugins("owner").size()).isEqualTo(2);
        assertThat(Files.readString(folder().resolve("anybody/README.md"))).doesNotContain("closed");
    }

    @Test
    void aYankedVersionIsNotListed() throws IOException {
        publish("yank/kit", "1.0.0", Map.of("SKILL.md", SKILL));
        publish("yank/kit", "1.1.0", Map.of("SKILL.md", SKILL));
        app().post(bundle("yank/kit") + "/versions/1.1.0:yank", app().admin(), "{\"reason\": \"wrong\"}");

        git().run("clone", market("yank"), "yank");

        assertThat(plugins("yank").get(0).get("version").stringValue()).isEqualTo("1.0.0");
    }

    @Test
    void ofTwoEqualNamesTheFirstKeepsItAndTheOtherHasItsSlug() throws IOException {
        publish("twice/a", "1.0.0", Map.of("plugin.json", MANIFEST.formatted("tool")));
        publish("twice/b", "1.0.0", Map.of("plugin.json", MANIFEST.formatted("tool")));

        git().run("clone", market("twice"), "twice");

        assertThat(plugins("twice").get(0).get("name").stringValue()).isEqualTo("tool");
        assertThat(plugins("twice").get(1).get("name").stringValue()).isEqualTo("b");
    }

    @Test
    void missingAndHiddenNamespacesLookTheSame() {
        publish("hidden/kit", "1.0.0", "private", Map.of("SKILL.md", SKILL));

        for (String path : new String[] {"", "/info/refs?service=git-upload-pack", "/info/refs"}) {
            var hidden = app().get("/hidden.git" + path, null);
            var missing = app().get("/missing.git" + path, null);
            var bundle = app().get("/hidden/kit.git" + path, null);
            assertThat(hidden.status()).isEqualTo(401);
            assertThat(hidden.header("WWW-Authenticate")).startsWith("Basic realm=");
            assertThat(hidden.text()).isEqualTo(missing.text()).isEqualTo(bundle.text());
            assertThat(missing.status()).isEqualTo(401);
        }
        var other = app().secondOrganization("others");
        assertThat(app().get("/hidden.git/info/refs?service=git-upload-pack", other)
                        .status())
                .isEqualTo(404);
        assertThat(app().get("/missing.git/info/refs?service=git-upload-pack", other)
                        .status())
                .isEqualTo(404);
    }

    @Test
    void aPushIsRefused() {
        publish("pushed/kit", "1.0.0", Map.of("SKILL.md", SKILL));

        var reply = app().get("/pushed.git/info/refs?service=git-receive-pack", null);

        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.text()).contains("read-only", "sheaf push");
    }
}
