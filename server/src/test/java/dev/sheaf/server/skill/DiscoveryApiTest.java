package dev.sheaf.server.skill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Indexes of skills, their archives and files, as programs ask for them that know nothing of bundles.
class DiscoveryApiTest extends OnEveryStack {
    private static final String PLACE = "/.well-known/agent-skills/";

    private Reply get(String path) {
        return app().get(path, null);
    }

    private JsonNode index(String reference) {
        var reply = get("/" + reference + PLACE + "index.json");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json();
    }

    private static List<String> names(JsonNode index) {
        var names = new ArrayList<String>();
        index.get("skills").forEach(skill -> names.add(skill.get("name").stringValue()));
        return names;
    }

    private static JsonNode entry(JsonNode index, String name) {
        for (var skill : index.get("skills")) {
            if (skill.get("name").stringValue().equals(name)) {
                return skill;
            }
        }
        throw new AssertionError(name + " is not in " + index);
    }

    private void push(String repository, String version, String visibility, Map<String, String> files) {
        var all = files.entrySet().stream()
                .map(file -> new PublishedSkills.File(
                        file.getKey(), file.getValue().getBytes(StandardCharsets.UTF_8), false));
        var reply =
                app().post(bundle(repository) + ":push", app().admin(), PublishedSkills.body(version, visibility, all));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private static String skill(String name, String text) {
        return "---\nname: " + name + "\ndescription: About " + name + ".\n---\n" + text + "\n";
    }

    @Test
    void theIndexIsAsTheSpecificationHasIt() {
        assertThat(PublishedSkills.push(app(), "ten/all", "1.0.0", "public").status())
                .isEqualTo(201);

        var index = index("ten/all");

        assertThat(index.get("$schema").stringValue())
                .isEqualTo("https://schemas.agentskills.io/discovery/0.2.0/schema.json");
        assertThat(names(index)).isEqualTo(PublishedSkills.names()).hasSize(10);
        var forms = entry(index, "pdf-forms");
        assertThat(forms.propertyNames())
                .containsExactly("name", "type", "description", "url", "digest", "version", "files");
        assertThat(forms.get("type").stringValue()).isEqualTo("archive");
        assertThat(forms.get("description").stringValue()).startsWith("Fill in, flatten and read PDF forms.");
        assertThat(forms.get("url").stringValue()).isEqualTo("/ten/all@1.0.0" + PLACE + "pdf-forms.tar.gz");
        assertThat(forms.get("version").stringValue()).isEqualTo("1.0.0");
        assertThat(forms.get("files").toString())
                .isEqualTo("[\"SKILL.md\",\"assets/sample.pdf\",\"references/fields.md\",\"scripts/fields.py\","
                        + "\"scripts/fill.sh\"]");
        assertThat(entry(index, "api-docs").get("url").stringValue())
                .as("a path that no tar archive holds")
                .isEqualTo("/ten/all@1.0.0" + PLACE + "api-docs.zip");
    }

    /// By the tar and unzip of the system, which know nothing of us.
    @Test
    void eachArchiveHasItsFilesAndModes(@TempDir Path folder) throws Exception {
        PublishedSkills.push(app(), "ten/archives", "1.0.0", "public");
        var index = index("ten/archives");
        for (String name : PublishedSkills.names()) {
            for (String ending : List.of(".tar.gz", ".zip")) {
                var reply = get("/ten/archives" + PLACE + name + ending);
                if (ending.equals(".tar.gz") && name.equals("api-docs")) {
                    assertThat(reply.status()).isEqualTo(404);
                    assertThat(reply.text()).contains("api-docs.zip");
                    continue;
                }
                assertThat(reply.status()).isEqualTo(200);
                byte[] bytes = reply.response().body();
                String digest = Digest.sha256(bytes).toString();
                assertThat(reply.header("ETag")).isEqualTo("\"" + digest + "\"");
                if (entry(index, name).get("url").stringValue().endsWith(ending)) {
                    assertThat(entry(index, name).get("digest").stringValue()).isEqualTo(digest);
                }
                assertThat(unpacked(folder.resolve(name + ending), bytes)).isEqualTo(PublishedSkills.of(name));
            }
        }
    }

    private static List<PublishedSkills.File> unpacked(Path archive, byte[] bytes) throws Exception {
        Files.write(archive, bytes);
        Path into = Files.createDirectories(Path.of(archive + ".d"));
        var command = archive.toString().endsWith(".zip")
                ? List.of("python3", "-c", UNZIP, archive.toString(), into.toString())
                : List.of("tar", "-xpzf", archive.toString(), "-C", into.toString());
        var process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).isZero();
        return PublishedSkills.in(into);
    }

    private static final String UNZIP = """
            import os, sys, zipfile
            with zipfile.ZipFile(sys.argv[1]) as z:
                assert z.testzip() is None
                for i in z.infolist():
                    os.chmod(z.extract(i, sys.argv[2]), i.external_attr >> 16 & 0o777)
            """;

    @Test
    void anUnchangedSkillKeepsItsDigest() {
        push(
                "digests/kit",
                "1.0.0",
                "public",
                Map.of("s/a/SKILL.md", skill("a", "A"), "s/b/SKILL.md", skill("b", "B")));
        push(
                "digests/kit",
                "1.1.0",
                "public",
                Map.of("s/a/SKILL.md", skill("a", "A"), "s/b/SKILL.md", skill("b", "2")));
        push("digests/moved", "7.0.0", "public", Map.of("x/a/SKILL.md", skill("a", "A")));

        var first = index("digests/kit@1.0.0");
        var second = index("digests/kit");

        assertThat(entry(second, "a").get("digest")).isEqualTo(entry(first, "a").get("digest"));
        assertThat(entry(second, "b").get("digest"))
                .isNotEqualTo(entry(first, "b").get("digest"));
        assertThat(entry(index("digests/moved"), "a").get("digest"))
                .isEqualTo(entry(first, "a").get("digest"));
    }

    @Test
    void aPathPicksVersionsAndSkills() {
        push("picks/kit", "1.0.0", "public", Map.of("s/a/SKILL.md", skill("a", "1")));
        push("picks/kit", "1.2.0", "public", Map.of("s/a/SKILL.md", skill("a", "2"), "s/b/SKILL.md", skill("b", "2")));
        push("picks/kit", "2.0.0-rc.1", "public", Map.of("s/c/SKILL.md", skill("c", "3")));
        app().send("PUT", bundle("picks/kit") + "/tags/b", app().admin(), "{\"version\": \"1.0.0\"}");
        String digest = app().get(bundle("picks/kit") + ":resolve?version=1.0.0", null)
                .json()
                .get("ociDigest")
                .stringValue();

        assertThat(names(index("picks/kit"))).containsExactly("a", "b");
        assertThat(names(index("picks/kit@1.0.0"))).containsExactly("a");
        assertThat(names(index("picks/kit@%5E1.0"))).containsExactly("a", "b");
        assertThat(names(index("picks/kit@" + digest))).containsExactly("a");
        assertThat(names(index("picks/kit@latest"))).containsExactly("a", "b");
        assertThat(names(index("picks/kit@2.0.0-rc.1"))).containsExactly("c");
        assertThat(names(index("picks/kit@1.2.0@b"))).containsExactly("b");
        assertThat(names(index("picks/kit@a"))).as("a skill").containsExactly("a");
        assertThat(names(index("picks/kit@b")))
                .as("a tag of that name comes first")
                .containsExactly("a");
        assertThat(index("picks/kit@a").at("/skills/0/version").stringValue()).isEqualTo("1.2.0");
        for (String missing :
                List.of("picks/kit@c", "picks/kit@3", "picks/kit@1.2.0@c", "picks/kit@1.0.0@a@a", "picks/no")) {
            assertThat(get("/" + missing + PLACE + "index.json").status())
                    .as(missing)
                    .isEqualTo(404);
        }
        assertThat(get("/picks/kit@1.2.0@b" + PLACE + "a.zip").status()).isEqualTo(404);
        assertThat(get("/picks/kit" + PLACE + "versions.json").json().toString())
                .isEqualTo("{\"latest\":\"1.2.0\",\"versions\":[\"2.0.0-rc.1\",\"1.2.0\",\"1.0.0\"]}");
        assertThat(names(get("/picks/kit" + PLACE + "v1.0.0/index.json").json()))
                .containsExactly("a");
        assertThat(get("/picks/kit" + PLACE + "v1.0.0/a/SKILL.md").text()).isEqualTo(skill("a", "1"));
        assertThat(get("/picks/kit" + PLACE + "v1.0.0/a.zip").status()).isEqualTo(200);
        assertThat(get("/picks/kit" + PLACE + "v9.0.0/index.json").status()).isEqualTo(404);
    }

    @Test
    void filesAreHarmlessInABrowser() {
        push(
                "files/kit",
                "1.0.0",
                "public",
                Map.of("SKILL.md", skill("kit", "T"), "x/evil page.html", "<script>1</script>"));

        for (String path : List.of("kit/SKILL.md", "kit/x/evil%20page.html", "kit.tar.gz", "kit.zip")) {
            var reply = get("/files/kit" + PLACE + path);
            assertThat(reply.status()).as(path).isEqualTo(200);
            assertThat(reply.header("Content-Type"))
                    .isIn("application/octet-stream", "application/gzip", "application/zip");
            assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(reply.header("Content-Disposition")).isEqualTo("attachment");
            assertThat(reply.header("Content-Security-Policy")).isEqualTo("default-src 'none'; sandbox");
        }
        assertThat(get("/files/kit" + PLACE + "kit/x/evil%20page.html").text()).isEqualTo("<script>1</script>");
        for (String path :
                List.of("kit/no.md", "kit/../kit/SKILL.md", "kit/x", "no/SKILL.md", "kit.rar", "kit", ".zip")) {
            assertThat(get("/files/kit" + PLACE + path).status()).as(path).isEqualTo(404);
        }
    }

    @Test
    void cachesAreToldWhatMayMove() {
        push("caches/kit", "1.0.0", "public", Map.of("SKILL.md", skill("kit", "T")));
        for (String path : List.of("index.json", "kit.tar.gz", "kit/SKILL.md")) {
            var floating = get("/caches/kit" + PLACE + path);
            var pinned = get("/caches/kit@1.0.0" + PLACE + path);

            assertThat(floating.header("Cache-Control")).isEqualTo("public, no-cache");
            assertThat(pinned.header("Cache-Control")).isEqualTo("public, max-age=300");
            assertThat(floating.header("Access-Control-Allow-Origin")).isEqualTo("*");
            assertThat(floating.header("ETag")).isEqualTo(pinned.header("ETag")).isNotEmpty();
            var again = app().send(app().request("GET", "/caches/kit" + PLACE + path, null, null)
                    .header("If-None-Match", floating.header("ETag")));
            assertThat(again.status()).isEqualTo(304);
            var head = app().send("HEAD", "/caches/kit" + PLACE + path, null, null);
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("ETag")).isEqualTo(floating.header("ETag"));
            assertThat(head.header("Content-Length")).isEqualTo(floating.header("Content-Length"));
        }
    }

    @Test
    void aYankedVersionIsOnlyWhereItIsNamed() {
        push("yanks/kit", "1.0.0", "public", Map.of("SKILL.md", skill("kit", "1")));
        push("yanks/kit", "1.1.0", "public", Map.of("SKILL.md", skill("kit", "2")));

        app().post(bundle("yanks/kit") + "/versions/1.1.0:yank", app().admin(), "{\"reason\": \"broken\"}");

        assertThat(index("yanks/kit").at("/skills/0/version").stringValue()).isEqualTo("1.0.0");
        assertThat(index("yanks/kit@1.1.0").at("/skills/0/version").stringValue())
                .isEqualTo("1.1.0");
        assertThat(get("/yanks/kit" + PLACE + "versions.json").json().toString())
                .isEqualTo("{\"latest\":\"1.0.0\",\"versions\":[\"1.0.0\"]}");
    }

    // --- rights ---

    private int status(String path, @Nullable String authorization) {
        var request = app().request("GET", path, null, null);
        return app().send(authorization == null ? request : request.header("Authorization", authorization))
                .status();
    }

    private static String basic(String password) {
        return "Basic " + Base64.getEncoder().encodeToString(("any:" + password).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void privateOnesAreForThoseWhoMayReadThem() {
        push("hidden/kit", "1.0.0", "private", Map.of("SKILL.md", skill("kit", "T")));
        String other = app().secondOrganization("hidden-other");

        for (String path : Stream.of("index.json", "versions.json", "kit.zip", "kit/SKILL.md", "v1.0.0/index.json")
                .map(file -> "/hidden/kit" + PLACE + file)
                .toList()) {
            assertThat(status(path, null)).as(path).isEqualTo(404);
            assertThat(status(path, "Bearer shf_wrong")).isEqualTo(401);
            assertThat(status(path, basic("shf_wrong"))).isEqualTo(401);
            assertThat(status(path, "Bearer " + other)).isEqualTo(404);
            assertThat(status(path, "Bearer " + app().admin())).isEqualTo(200);
            assertThat(status(path, basic(app().admin()))).isEqualTo(200);
        }
        var told = app().get("/hidden/kit@1.0.0" + PLACE + "index.json", app().admin());
        assertThat(told.header("Cache-Control")).isEqualTo("private, no-cache");
        assertThat(told.response().headers().firstValue("Access-Control-Allow-Origin"))
                .isEmpty();
        String hidden = get("/hidden/kit" + PLACE + "index.json").text();
        String missing = get("/hidden/not" + PLACE + "index.json").text();
        assertThat(hidden.replaceAll("hidden/kit|\"requestId\":\"[^\"]*\"", ""))
                .isEqualTo(missing.replaceAll("hidden/not|\"requestId\":\"[^\"]*\"", ""));
    }

    @Test
    void thereIsNoIndexWhereSomebodyWouldInstallEverything() {
        push("nowhere/kit", "1.0.0", "public", Map.of("SKILL.md", skill("kit", "T")));

        for (String path : List.of(
                PLACE + "index.json",
                "/.well-known/skills/index.json",
                "/nowhere" + PLACE + "index.json",
                "/nowhere/kit/.well-known/skills/index.json",
                "/nowhere/kit/x" + PLACE + "index.json")) {
            assertThat(get(path).status()).as(path).isEqualTo(404);
        }
    }

    @Test
    void whatClientsDoNotTakeIsLeftOut() {
        push(
                "left/kit",
                "1.0.0",
                "public",
                Map.of(
                        "a/good/SKILL.md", skill("good", "T"),
                        "a/twice/SKILL.md", skill("twice", "1"),
                        "b/twice/SKILL.md", skill("twice", "2"),
                        "b/mute/SKILL.md", "---\nname: mute\n---\n",
                        "b/none/SKILL.md", "# None\n",
                        "b/Big/SKILL.md", skill("Big", "")));

        assertThat(names(index("left/kit"))).containsExactly("good");
        assertThat(get("/left/kit" + PLACE + "twice.zip").status()).isEqualTo(404);
        push("left/none", "1.0.0", "public", Map.of("README.md", "# No skills"));
        assertThat(index("left/none").get("skills")).isEmpty();
    }
}
