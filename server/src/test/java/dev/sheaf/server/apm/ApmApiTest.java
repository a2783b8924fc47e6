package dev.sheaf.server.apm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PlainZip;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The fixtures of APM's registry API (section 9 of its text), and what it leaves to the registry.
class ApmApiTest extends OnEveryStack {
    private static final String ZIP = "application/zip";

    private static String versions(String name) {
        return "/apm/v1/packages/" + name + "/versions";
    }

    private static String manifest(String name, String version) {
        return "name: " + name + "\nversion: " + version + "\ndescription: Skills for the web.\n";
    }

    private static PlainZip pack(String name, String version) {
        return new PlainZip()
                .file("apm.yml", manifest(name, version))
                .file(".apm/skills/web/SKILL.md", "---\nname: web\ndescription: Web.\n---\n");
    }

    private Reply put(String name, String version, @Nullable String key, String type, byte[] archive) {
        return app().send(app().request("PUT", versions(name) + "/" + version, key, null)
                .header("Content-Type", type)
                .PUT(BodyPublishers.ofByteArray(archive)));
    }

    private Reply put(String name, String version, byte[] archive) {
        return put(name, version, app().admin(), ZIP, archive);
    }

    private Reply published(String name, String version, byte[] archive) {
        var reply = put(name, version, archive);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply;
    }

    private Reply get(String path) {
        return app().get(path, app().admin());
    }

    private static String digest(byte[] bytes) {
        return Digest.sha256(bytes).toString();
    }

    private List<JsonNode> listed(String name) {
        var reply = get(versions(name));
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return StreamSupport.stream(reply.json().get("versions").spliterator(), false)
                .toList();
    }

    private List<String> numbers(String name) {
        return listed(name).stream()
                .map(version -> version.get("version").stringValue())
                .toList();
    }

    // --- 9.1 and 9.3 ---

    @Test
    void whatIsPublishedComesBackToTheByte() {
        byte[] archive = pack("round/trip", "1.0.0").end();

        var published = published("round/trip", "1.0.0", archive);

        assertThat(published.json().get("package").stringValue()).isEqualTo("round/trip");
        assertThat(published.json().get("digest").stringValue()).isEqualTo(digest(archive));
        assertThat(published.json().get("size_bytes").longValue()).isEqualTo(archive.length);
        var entry = listed("round/trip").getFirst();
        assertThat(entry.get("digest").stringValue()).isEqualTo(digest(archive));
        assertThat(entry.get("published_at")).isEqualTo(published.json().get("published_at"));
        var download = get(versions("round/trip") + "/1.0.0/download");
        assertThat(download.response().body()).isEqualTo(archive);
        assertThat(download.header("Content-Type")).isEqualTo(ZIP);
        assertThat(download.header("ETag")).isEqualTo("\"" + digest(archive) + "\"");
        assertThat(download.header("Digest"))
                .isEqualTo("sha256=" + Base64.getEncoder().encodeToString(hash(archive)));
        var again = app().send(app().request("GET", versions("round/trip") + "/1.0.0/download", app().admin(), null)
                .header("If-None-Match", download.header("ETag")));
        assertThat(again.status()).isEqualTo(304);
    }

    private static byte[] hash(byte[] bytes) {
        return HexFormat.of().parseHex(Digest.sha256(bytes).hex());
    }

    @Test
    void itsFilesAreThoseOfTheBundle() {
        byte[] archive = pack("files/kit", "1.0.0")
                .file("run.sh", "#!/bin/sh\n".getBytes(StandardCharsets.UTF_8), 0100755)
                .end();
        published("files/kit", "1.0.0", archive);

        var pulled =
                get(bundle("files/kit") + "/versions/1.0.0:pull?binary=base64").json();

        var paths = new ArrayList<String>();
        pulled.get("manifest")
                .forEach(asset -> paths.add(asset.get("logicalPath").stringValue()
                        + (asset.path("executable").asBoolean(false) ? "*" : "")));
        assertThat(paths).containsExactlyInAnyOrder("apm.yml", ".apm/skills/web/SKILL.md", "run.sh*");
        assertThat(get(bundle("files/kit")).json().get("description").stringValue())
                .isEqualTo("Skills for the web.");
        assertThat(get(bundle("files/kit")).json().get("visibility").stringValue())
                .isEqualTo("private");
    }

    // --- 9.2 ---

    @Test
    void aVersionIsPublishedOnce() {
        byte[] archive = pack("once/kit", "1.0.0").end();
        published("once/kit", "1.0.0", archive);

        var same = put("once/kit", "1.0.0", archive);
        var other = put(
                "once/kit", "1.0.0", pack("once/kit", "1.0.0").file("b", "b").end());

        assertThat(same.status()).isEqualTo(409);
        assertThat(same.problem().detail()).contains("already published at");
        assertThat(other.status()).isEqualTo(409);
        assertThat(get(versions("once/kit") + "/1.0.0/download").response().body())
                .isEqualTo(archive);
    }

    @Test
    void aVersionThatWasPushedIsNotPublishedAgain() {
        app().push("pushed/kit", "1.0.0", "private", "# Kit");

        assertThat(put("pushed/kit", "1.0.0", pack("pushed/kit", "1.0.0").end()).status())
                .isEqualTo(409);
    }

    // --- 9.4 ---

    @ParameterizedTest
    @CsvSource({
        "other, 1.0.0, with the name",
        "not-kit, 1.0.0, with the name",
        "wrong/kit, 1.0.1, with the version",
        "wrong/kit, '', with the version",
        "'[', 1.0.0, cannot be read"
    })
    void theManifestSaysWhatThePathSays(String name, String version, String why) {
        var reply = put("wrong/kit", "1.0.0", pack(name, version).end());

        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.text()).contains(why);
        assertThat(reply.json().at("/extensions/errors/0/detail").isMissingNode())
                .isFalse();
    }

    @Test
    void anArchiveIsPlainAndHasAManifest() {
        byte[] none = new PlainZip().file("README.md", "# No").end();
        assertThat(put("unfit/kit", "1.0.0", none).problem().detail()).contains("has no apm.yml");
        byte[] absolute = pack("unfit/kit", "1.0.0").file("/etc/passwd", "x").end();
        assertThat(put("unfit/kit", "1.0.0", absolute).problem().detail()).contains("/etc/passwd");
        byte[] link = pack("unfit/kit", "1.0.0")
                .file("link", "target".getBytes(StandardCharsets.UTF_8), 0120777)
                .end();
        assertThat(put("unfit/kit", "1.0.0", link).problem().detail()).contains("has a link");
        byte[] twice = pack("unfit/kit", "1.0.0").file("a", "1").file("a", "2").end();
        assertThat(put("unfit/kit", "1.0.0", twice).problem().detail()).contains("twice");
        var wrongType = put(
                "unfit/kit",
                "1.0.0",
                app().admin(),
                "application/gzip",
                pack("kit", "1.0.0").end());
        assertThat(wrongType.status()).isEqualTo(422);
        assertThat(put("unfit/kit", "1.0.0", app().admin(), "text/plain", none).status())
                .isEqualTo(415);
        assertThat(put("unfit/kit", "main", none).status()).isEqualTo(422);
        assertThat(get(versions("unfit/kit")).status()).isEqualTo(404);
    }

    // --- 9.5 ---

    @Test
    void accessIsThatOfBundles() {
        published("shut/kit", "1.0.0", pack("shut/kit", "1.0.0").end());
        app().push("open/kit", "1.0.0", "public", "# Kit");
        String reader = app().key("apm-reader", "read");
        String stranger = app().secondOrganization("apm-stranger");

        assertThat(app().get(versions("open/kit"), null).status()).isEqualTo(200);
        for (String rest : List.of("", "/1.0.0/download")) {
            var missing = app().get(versions("shut/none") + rest, null);
            var hidden = app().get(versions("shut/kit") + rest, null);
            assertThat(hidden.status()).isEqualTo(401);
            assertThat(hidden.without("shut/kit")).isEqualTo(missing.without("shut/none"));
            assertThat(app().get(versions("shut/kit") + rest, stranger).status())
                    .isEqualTo(404);
            assertThat(app().get(versions("shut/kit") + rest, reader).status()).isEqualTo(200);
        }
        byte[] next = pack("shut/kit", "1.1.0").end();
        assertThat(put("shut/kit", "1.1.0", null, ZIP, next).status()).isEqualTo(401);
        assertThat(put("shut/kit", "1.1.0", reader, ZIP, next).status()).isEqualTo(403);
        assertThat(put("shut/kit", "1.1.0", stranger, ZIP, next).status()).isEqualTo(404);
        String basic = Base64.getEncoder().encodeToString(("apm:" + reader).getBytes(StandardCharsets.UTF_8));
        assertThat(app().send(app().request("GET", versions("shut/kit"), null, null)
                                .header("Authorization", "Basic " + basic))
                        .status())
                .isEqualTo(200);
    }

    // --- 9.6 ---

    @Test
    void errorsAreProblemsWithExtensions() {
        var reply = get(versions("none/kit"));

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(reply.json().get("title").stringValue()).isNotEmpty();
        assertThat(reply.json().get("status").intValue()).isEqualTo(404);
        assertThat(reply.json().at("/extensions/name").stringValue()).isEqualTo("none/kit");
    }

    // --- versions that came in another way ---

    private void push(String name, String version, PublishedSkills.File... files) {
        var body = PublishedSkills.body(version, "public", Stream.of(files));
        assertThat(app().post(bundle(name) + ":push", app().admin(), body).status())
                .isEqualTo(201);
    }

    private static PublishedSkills.File file(String path) {
        return new PublishedSkills.File(path, path.getBytes(StandardCharsets.UTF_8), path.endsWith(".sh"));
    }

    @Test
    void otherVersionsAreDerived() throws IOException {
        push("derived/kit", "1.0.0", file("a.md"), file("b/run.sh"));
        push("derived/same", "3.0.0", file("a.md"), file("b/run.sh"));

        var entry = listed("derived/kit").getFirst();
        var download = get(versions("derived/kit") + "/1.0.0/download");

        byte[] bytes = download.response().body();
        assertThat(download.header("Content-Type")).isEqualTo(ZIP);
        assertThat(entry.get("digest").stringValue()).isEqualTo(digest(bytes));
        assertThat(entry.get("size_bytes").longValue()).isEqualTo(bytes.length);
        assertThat(listed("derived/same").getFirst().get("digest")).isEqualTo(entry.get("digest"));
        var names = new ArrayList<String>();
        try (var zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            for (var next = zip.getNextEntry(); next != null; next = zip.getNextEntry()) {
                names.add(next.getName() + " " + new String(zip.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        assertThat(names).containsExactly("a.md a.md", "b/run.sh b/run.sh");
    }

    @Test
    void yankedVersionsAreNotListedButDownloaded() {
        published("yanks/kit", "1.0.0", pack("yanks/kit", "1.0.0").end());
        published("yanks/kit", "1.1.0", pack("yanks/kit", "1.1.0").end());
        assertThat(numbers("yanks/kit")).containsExactly("1.1.0", "1.0.0");

        app().post(bundle("yanks/kit") + "/versions/1.1.0:yank", app().admin(), "{}");

        assertThat(numbers("yanks/kit")).containsExactly("1.0.0");
        assertThat(get(versions("yanks/kit") + "/1.1.0/download").status()).isEqualTo(200);
        assertThat(get(versions("yanks/kit") + "/2.0.0/download").status()).isEqualTo(404);
    }

    /// Nothing but the archive that came with a version is given out for it.
    @Test
    void anArchiveThatWasDeletedIsNotReplaced() {
        byte[] archive = pack("lost/kit", "1.0.0").end();
        published("lost/kit", "1.0.0", archive);
        String version = get("/v2/lost/kit/manifests/1.0.0").header("Docker-Content-Digest");
        var holder = get("/v2/lost/kit/referrers/" + version)
                .json()
                .at("/manifests/0/digest")
                .stringValue();
        assertThat(get("/v2/lost/kit/blobs/" + digest(archive)).response().body())
                .isEqualTo(archive);
        app().send("DELETE", "/v2/lost/kit/manifests/" + holder, app().admin(), null);
        app().send("DELETE", "/v2/lost/kit/blobs/" + digest(archive), app().admin(), null);

        assertThat(numbers("lost/kit")).isEmpty();
        assertThat(get(versions("lost/kit") + "/1.0.0/download").status()).isEqualTo(404);
    }
}
