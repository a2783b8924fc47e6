package dev.sheaf.server.skill.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The repositories that are made of bundles.
class DerivedImagesTest extends V2Scenario {
    private static final String SKILL = """
            ---
            name: a
            description: Does "a".
            license: MIT
            compatibility: Needs jq
            allowed-tools: Bash(git log:*) Read, Write
            metadata:
              author: acme
            ---
            """;

    private static PublishedSkills.File file(String path, String text) {
        return new PublishedSkills.File(path, utf8(text), path.endsWith(".sh"));
    }

    private void push(String repository, String version, String visibility, PublishedSkills.File... files) {
        var body = PublishedSkills.body(version, visibility, Stream.of(files));
        var reply = app().post(bundle(repository) + ":push", app().admin(), body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private Reply get(String path) {
        return callAs(null, "GET", "/v2/" + path, null);
    }

    private JsonNode manifest(String repository, String reference) {
        var reply = get(repository + "/manifests/" + reference);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        byte[] bytes = reply.response().body();
        assertThat(reply.header("Docker-Content-Digest"))
                .isEqualTo(Digest.sha256(bytes).toString());
        return reply.json();
    }

    private byte[] blob(String repository, JsonNode descriptor) {
        String digest = descriptor.get("digest").stringValue();
        var reply = get(repository + "/blobs/" + digest);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        byte[] bytes = reply.response().body();
        assertThat(Digest.sha256(bytes)).hasToString(digest);
        assertThat(bytes).hasSize(descriptor.get("size").asInt());
        assertThat(reply.header("Content-Length")).isEqualTo(bytes.length + "");
        return bytes;
    }

    private JsonNode resolved(String repository, String version) {
        return app().get(bundle(repository) + ":resolve?version=" + version, app().admin())
                .json();
    }

    @Test
    void aSkillIsAnArtifact() {
        push("arti/kit", "1.0.0", "public", file("skills/a/SKILL.md", SKILL), file("skills/a/run.sh", "#!/bin/sh\n"));

        var manifest = manifest("agentskill/arti/kit/a", "1.0.0");

        assertThat(manifest.get("schemaVersion").asInt()).isEqualTo(2);
        assertThat(manifest.get("artifactType").stringValue()).isEqualTo("application/vnd.agentskills.skill.v1");
        assertThat(manifest.at("/config/mediaType").stringValue())
                .isEqualTo("application/vnd.agentskills.skill.config.v1+json");
        assertThat(manifest.get("layers")).hasSize(1);
        assertThat(manifest.at("/layers/0/mediaType").stringValue())
                .isEqualTo("application/vnd.agentskills.skill.content.v1.tar+gzip");
        var source = resolved("arti/kit", "1.0.0");
        var annotations = manifest.get("annotations");
        assertThat(annotations.get("dev.sheaf.source.manifest").stringValue())
                .isEqualTo("arti/kit@" + source.get("ociDigest").stringValue());
        assertThat(annotations.get("org.opencontainers.image.created").stringValue())
                .isEqualTo(source.get("publishedAt").stringValue());
        assertThat(annotations.get("org.opencontainers.image.licenses").stringValue())
                .isEqualTo("MIT");
        assertThat(new String(blob("agentskill/arti/kit/a", manifest.get("config")), StandardCharsets.UTF_8))
                .isEqualTo("{\"schemaVersion\":\"1\",\"name\":\"a\",\"version\":\"1.0.0\","
                        + "\"description\":\"Does \\\"a\\\".\",\"license\":\"MIT\",\"compatibility\":\"Needs jq\","
                        + "\"allowedTools\":[\"Bash(git log:*)\",\"Read\",\"Write\"],"
                        + "\"metadata\":{\"author\":\"acme\"}}");
        assertThat(blob("agentskill/arti/kit/a", manifest.at("/layers/0"))).startsWith(0x1f, 0x8b);
    }

    @Test
    void aVersionAndASkillAreImages() {
        push("pics/kit", "1.0.0", "public", file("skills/a/SKILL.md", SKILL), file("README.md", "# Kit"));

        for (String repository : List.of("image/pics/kit", "image/pics/kit/a")) {
            var manifest = manifest(repository, "latest");
            assertThat(manifest.has("artifactType")).isFalse();
            assertThat(manifest.at("/config/mediaType").stringValue())
                    .isEqualTo("application/vnd.oci.image.config.v1+json");
            assertThat(manifest.at("/layers/0/mediaType").stringValue())
                    .isEqualTo("application/vnd.oci.image.layer.v1.tar+gzip");
            byte[] config = blob(repository, manifest.get("config"));
            assertThat(new String(config, StandardCharsets.UTF_8))
                    .contains("\"architecture\":\"amd64\",\"os\":\"linux\"", "\"diff_ids\":[\"sha256:");
        }
        assertThat(manifest("image/pics/kit", "latest").at("/layers/0/digest"))
                .isNotEqualTo(manifest("image/pics/kit/a", "latest").at("/layers/0/digest"));
    }

    /// What was made once stays, though a node forgets it, or another one is asked.
    @Test
    void digestsStayAndTagsAreThoseOfTheBundle() {
        push("tags/kit", "1.0.0", "public", file("a/SKILL.md", SKILL));
        push("tags/kit", "1.1.0", "public", file("a/SKILL.md", SKILL + "2"));
        app().send("PUT", bundle("tags/kit") + "/tags/stable", app().admin(), "{\"version\": \"1.0.0\"}");
        assertThat(pushManifest("tags/kit", "odd", image("tags/kit", random(20)))
                        .status())
                .isEqualTo(201);

        var one = get("image/tags/kit/manifests/1.0.0");
        String digest = one.header("Docker-Content-Digest");

        assertThat(get("image/tags/kit/manifests/stable").header("Docker-Content-Digest"))
                .isEqualTo(digest);
        assertThat(get("image/tags/kit/manifests/latest").header("Docker-Content-Digest"))
                .isNotEqualTo(digest)
                .isEqualTo(get("image/tags/kit/manifests/1.1.0").header("Docker-Content-Digest"));
        var pinned = get("image/tags/kit/manifests/" + digest);
        assertThat(pinned.text()).isEqualTo(one.text());
        assertThat(pinned.header("Cache-Control")).isEqualTo("public, max-age=300");
        assertThat(one.header("Cache-Control")).isEqualTo("public, max-age=30");
        assertThat(get("image/tags/kit/tags/list").json().toString())
                .isEqualTo("{\"name\":\"image/tags/kit\",\"tags\":[\"1.0.0\",\"1.1.0\",\"latest\",\"stable\"]}");
        assertThat(get("image/tags/kit/tags/list?n=2").json().get("tags").toString())
                .isEqualTo("[\"1.0.0\",\"1.1.0\"]");
        assertThat(get("image/tags/kit/tags/list?n=2").header("Link")).contains("last=1.1.0");
        for (String missing : List.of("odd", "2.0.0", "1.0", "sha256:" + "0".repeat(64))) {
            assertThat(get("image/tags/kit/manifests/" + missing).status())
                    .as(missing)
                    .isEqualTo(404);
        }
        assertThat(get("agentskill/tags/kit/b/manifests/1.0.0").status()).isEqualTo(404);
        assertThat(get("image/tags/kit/referrers/" + digest).json().get("manifests"))
                .isEmpty();
        assertThat(call("GET", "/v2/_catalog?n=1000", null).text()).doesNotContain("image/tags", "agentskill/");
    }

    @Test
    void rightsAreThoseOfTheBundle() {
        push("hush/kit", "1.0.0", "private", file("a/SKILL.md", SKILL));
        String other = app().secondOrganization("hush-other");

        for (String repository : List.of("image/hush/kit", "image/hush/kit/a", "agentskill/hush/kit/a")) {
            String path = "/v2/" + repository + "/manifests/1.0.0";
            var anonymous = callAs(null, "GET", path, null);
            assertRefused(anonymous, 401, "UNAUTHORIZED");
            assertThat(anonymous.header("WWW-Authenticate")).contains("scope=\"repository:" + repository + ":pull\"");
            assertThat(callAs(other, "GET", path, null).status()).isEqualTo(404);
            assertThat(callAs(app().admin(), "GET", path, null).status()).isEqualTo(200);
            assertThat(callAs(token("repository:" + repository + ":pull"), "GET", path, null)
                            .status())
                    .isEqualTo(200);
            String elsewhere = token("repository:" + repository.replace("hush", "arti") + ":pull");
            assertThat(callAs(elsewhere, "GET", path, null).status()).isEqualTo(401);
        }
        String pushing = token("repository:image/hush/kit:pull,push");
        assertRefused(callAs(pushing, "POST", "/v2/hush/kit/blobs/uploads/", null), 401, "UNAUTHORIZED");
        assertThat(callAs(null, "GET", "/v2/image/hush/not/manifests/1.0.0", null)
                        .text())
                .isEqualTo(callAs(null, "GET", "/v2/image/hush/kit/manifests/1.0.0", null)
                        .text()
                        .replace("hush/kit", "hush/not"));
    }

    private String token(String scope) {
        return callAs(app().admin(), "GET", "/v2/token?scope=" + scope, null)
                .json()
                .get("token")
                .stringValue();
    }

    @Test
    void nobodyPushes() {
        push("closed/kit", "1.0.0", "public", file("a/SKILL.md", SKILL));

        for (String[] call : new String[][] {
            {"POST", "image/closed/kit/blobs/uploads/"},
            {"PUT", "image/closed/kit/manifests/2.0.0"},
            {"DELETE", "agentskill/closed/kit/a/manifests/1.0.0"},
            {"POST", "agentskill/closed/kit/a/blobs/uploads/"}
        }) {
            var reply = call(call[0], "/v2/" + call[1], utf8("{}"));
            assertRefused(reply, 403, "DENIED");
            assertThat(reply.text()).contains("read-only", "push to closed/kit");
        }
    }

    @Test
    void aYankedVersionWarnsAndADeletedOneIsGone() {
        push("ends/kit", "1.0.0", "public", file("a/SKILL.md", SKILL));
        push("ends/kit", "1.1.0", "public", file("a/SKILL.md", SKILL + "2"));
        var manifest = manifest("image/ends/kit", "1.1.0");
        String layer = manifest.at("/layers/0/digest").stringValue();
        app().post(bundle("ends/kit") + "/versions/1.1.0:yank", app().admin(), "{\"reason\": \"broken\"}");

        assertThat(get("image/ends/kit/manifests/1.1.0").header("Warning")).contains("yanked", "broken");
        assertThat(manifest("image/ends/kit", "latest")
                        .at("/annotations/org.opencontainers.image.version")
                        .stringValue())
                .isEqualTo("1.0.0");
        assertThat(get("image/ends/kit/blobs/" + layer).status()).isEqualTo(200);

        String digest = get("image/ends/kit/manifests/1.1.0").header("Docker-Content-Digest");
        var gone =
                app().send("DELETE", bundle("ends/kit") + "/versions/1.1.0", app().admin(), "{\"reason\": \"broken\"}");
        assertThat(gone.status()).as(gone.text()).isLessThan(300);
        for (String path : List.of("manifests/1.1.0", "manifests/" + digest, "blobs/" + layer)) {
            assertThat(get("image/ends/kit/" + path).status()).as(path).isEqualTo(404);
        }
    }

    @Test
    void whatNoLayerHoldsIsLeftOut() {
        push("odd/wiped", "1.0.0", "public", file("a/SKILL.md", SKILL), file("b/.wh.x", "x"));
        push("odd/long", "1.0.0", "public", file("a/SKILL.md", SKILL), file("b/" + "x".repeat(101), "x"));
        push("odd/mute", "1.0.0", "public", file("a/SKILL.md", "# No front matter"));
        var many = IntStream.range(0, 3).mapToObj(i -> file("f" + i, "x")).toArray(PublishedSkills.File[]::new);
        push("odd/plain", "1.0.0", "public", many);

        for (String missing :
                List.of("image/odd/wiped", "image/odd/long", "agentskill/odd/mute/a", "image/odd/plain/a")) {
            var reply = get(missing + "/manifests/1.0.0");
            assertThat(reply.status()).as(missing + reply.text()).isEqualTo(404);
        }
        for (String there :
                List.of("image/odd/wiped/a", "image/odd/mute/a", "image/odd/plain", "agentskill/odd/long/a")) {
            assertThat(get(there + "/manifests/1.0.0").status()).as(there).isEqualTo(200);
        }
    }

    /// What nobody gets must not have all files read each time that a stranger asks for it.
    @Test
    void noFileIsReadForAnArtifactThatCannotBe() {
        push("mute/kit", "1.0.0", "public", file("a/SKILL.md", "# No front matter"), file("a/data", "x"));
        long before = archives();

        assertThat(get("agentskill/mute/kit/a/manifests/1.0.0").status()).isEqualTo(404);

        assertThat(archives()).isEqualTo(before);
    }

    /// How many archives were read through.
    private long archives() {
        return app().database().read(tx -> tx.number("SELECT count(*) FROM skill_archive"));
    }
}
