package dev.sheaf.server.maintenance.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.OldInstallation;
import dev.sheaf.server.work.TaskRun;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What the first version made stays usable: its data folder, and its backup restored on both engines.
class OldInstallationTest extends BackupFixture {
    private static final String ACME = "/v1/namespaces/acme/bundles/";
    private static final String GONE = "gone:1.0.0";

    enum Way {
        ITS_DATA,
        ITS_BACKUP_ON_SQLITE,
        ITS_BACKUP_ON_POSTGRES
    }

    private TestApp start(Way way, OldInstallation old) throws Exception {
        if (way == Way.ITS_DATA) {
            return TestApp.on(old.data(), old.key("bootstrap"));
        }
        var engine = way == Way.ITS_BACKUP_ON_POSTGRES ? Stack.POSTGRES : Stack.SQLITE;
        var flags = TestApp.settings(
                engine,
                folder.resolve("restored"),
                Map.of(
                        "master-key",
                        Files.readString(old.data().resolve("secrets/master-key"))
                                .strip()));
        offline(
                flags,
                (database, store, master) -> new Restore(
                                opened(database, store),
                                master,
                                latest(old.backup()),
                                new Restore.Leniency(false, true))
                        .run(new TaskRun(false)));
        return TestApp.on(flags, old.key("bootstrap"));
    }

    @ParameterizedTest
    @EnumSource
    void allOfItStaysReadable(Way way) throws Exception {
        var old = OldInstallation.in(folder.resolve("old"));
        try (var app = start(way, old)) {
            for (var entry : old.digests().entrySet()) {
                if (entry.getKey().equals(GONE)) {
                    assertThat(app.get(ACME + "gone/versions/1.0.0", app.admin())
                                    .status())
                            .isEqualTo(410);
                    continue;
                }
                var words = entry.getKey().replace("acme/", "").split("[:@]", 2);
                var manifest = app.get("/v2/acme/" + words[0] + "/manifests/" + entry.getValue(), app.admin());
                assertThat(manifest.status()).as(entry.getKey()).isEqualTo(200);
                assertThat(Digest.sha256(manifest.response().body())).hasToString(entry.getValue());
                for (var layer : manifest.json().get("layers")) {
                    assertLayer(app, words[0], layer.get("digest").stringValue());
                }
                if (entry.getKey().contains(":")) {
                    assertVersion(app, words[0], words[1], entry.getValue());
                }
            }
            assertThat(app.get(ACME + "draft/assets", app.admin()).json().get("data"))
                    .isNotEmpty();
            for (String namespace : List.of("mcp", "image", "new", "metrics")) {
                assertThat(app.get("/v1/namespaces/" + namespace + "/bundles", app.admin())
                                .status())
                        .isEqualTo(200);
            }
            for (String key : List.of("reader", "ci", "rival")) {
                assertThat(app.get("/v1/me", old.key(key).expose()).status()).isEqualTo(200);
            }
        }
    }

    private static void assertLayer(TestApp app, String bundle, String digest) {
        var blob = app.get("/v2/acme/" + bundle + "/blobs/" + digest, app.admin());
        assertThat(blob.status()).isEqualTo(200);
        assertThat(Digest.sha256(blob.response().body())).hasToString(digest);
    }

    private static void assertVersion(TestApp app, String bundle, String version, String digest) {
        String path = ACME + bundle + "/versions/" + version.replace("+", "%2B");
        var detail = app.get(path, app.admin());
        assertThat(detail.status()).as(bundle + " " + version).isEqualTo(200);
        assertThat(detail.json().get("ociDigest").stringValue()).isEqualTo(digest);
        var resolved = app.get(ACME + bundle + ":resolve?version=" + version.replace("+", "%2B"), app.admin());
        assertThat(resolved.status()).isEqualTo(200);
        for (var asset : resolved.json().at("/manifest/layers")) {
            String name = URLEncoder.encode(asset.get("logicalPath").stringValue(), StandardCharsets.UTF_8)
                    .replace("+", "%20");
            var read = app.send(app.request(
                            "GET",
                            ACME + bundle + "/assets/" + name + "?version=" + version.replace("+", "%2B"),
                            app.admin(),
                            null)
                    .header("Accept", "application/octet-stream"));
            assertThat(read.status()).as(asset.toString()).isEqualTo(200);
            assertThat(Digest.sha256(read.response().body()))
                    .hasToString("sha256:" + asset.get("contentSha256").stringValue());
        }
        assertThat(app.get(path + ":pull?binary=base64", app.admin()).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void allOfItCanBeYankedDeletedAndRestored(Way way) throws Exception {
        var old = OldInstallation.in(folder.resolve("old"));
        try (var app = start(way, old)) {
            for (String name : old.digests().keySet()) {
                if (name.contains(":") && !name.equals(GONE)) {
                    var words = name.replace("acme/", "").split(":");
                    String version = ACME + words[0] + "/versions/" + words[1].replace("+", "%2B");
                    for (String verb : List.of(":yank", ":unyank", ":deprecate", ":undeprecate")) {
                        var done = app.post(version + verb, app.admin(), "{\"message\": \"old\"}");
                        assertThat(done.status())
                                .as("%s%s: %s", name, verb, done.text())
                                .isEqualTo(200);
                    }
                }
            }
            for (String bundle : List.of("odd0", "clash", "bin", "login", "ocilatest", "ocititles", "draft", "image")) {
                assertDeletedAndRestored(app, bundle);
            }
            var pushed = app.push("acme/login", "1.1.0", "private", "text");
            assertThat(pushed.status())
                    .as("it grows as before: " + pushed.text())
                    .isEqualTo(201);
            assertThat(app.push("mcp/kit", "1.0.0", "private", "text").status()).isEqualTo(201);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatTodaysRulesWouldRefuseIsFoundWithWhatToDo(Way way) throws Exception {
        var old = OldInstallation.in(folder.resolve("old"));
        try (var app = start(way, old)) {
            app.database().write(tx -> tx.handle().execute("""
                    INSERT INTO trusted_publisher (id, organization_id, provider, issuer, bundles, created_at)
                    SELECT '01a202c8-f1d1-7d72-8080-bc441e0982c5', id, 'github', 'https://issuer.example',
                           'bundle acme/kit', 0 FROM organization WHERE handle <> 'default'
                    """));

            var begun = app.post("/v1/admin/tasks", app.admin(), "{\"task\": \"fsck\"}");
            var ended = app.ended(begun.json().get("id").stringValue()).json();

            var found = new TreeMap<String, String>();
            for (var finding : ended.get("findings")) {
                found.put(
                        finding.get("subject").stringValue(),
                        finding.get("reason").stringValue());
            }
            for (int i = 0; i < 10; i++) {
                assertThat(found).containsKey("acme/odd" + i + ":1.0.0");
            }
            assertThat(found.get("acme/odd0:1.0.0"))
                    .contains("\".git/config\"", "version control", "yank this one", "--skip-refused");
            assertThat(found.get("acme/clash:1.0.0")).contains("\"a\" clashes");
            for (String namespace : List.of("mcp", "image", "new", "metrics")) {
                assertThat(found.get("namespace " + namespace)).contains("reserved", "another namespace");
            }
            assertThat(found.get("acme/ocilatest:latest")).contains("it was moved there");
            assertThat(found.keySet())
                    .filteredOn(subject -> subject.startsWith("trusted publisher"))
                    .singleElement()
                    .satisfies(subject ->
                            assertThat(found.get(subject)).contains("acme/kit", "another organization", "delete it"));
            assertThat(ended.get("state").stringValue()).isEqualTo("succeeded");
            assertThat(ended.at("/counts/ofOlderRules").intValue()).isEqualTo(found.size() - 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void itsVersionsPushedAgainWithModesKeepTheirDigestUnderEveryTag(Way way) throws Exception {
        var old = OldInstallation.in(folder.resolve("old"));
        try (var app = start(way, old)) {
            String digest = old.digests().get("kit:1.0.0");
            String manifest = app.get("/v2/acme/kit/manifests/1.0.0", app.admin())
                    .text()
                    .replaceFirst("\"annotations\":\\{", "\"annotations\":{\"dev.sheaf.asset.executable\":\"true\",");
            String own =
                    Digest.sha256(manifest.getBytes(StandardCharsets.UTF_8)).toString();

            for (String reference : List.of("1.0.0", "later", own + "?tag=1.0.0&tag=together", own + "?tag=alone")) {
                var pushed =
                        app.send(HttpRequest.newBuilder(URI.create(app.url() + "/v2/acme/kit/manifests/" + reference))
                                .header("Authorization", "Bearer " + app.admin())
                                .header("Content-Type", MediaType.IMAGE_MANIFEST)
                                .PUT(HttpRequest.BodyPublishers.ofString(manifest)));
                assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
                assertThat(pushed.header("Docker-Content-Digest")).as(reference).isEqualTo(digest);
            }

            for (String tag : List.of("1.0.0", "later", "together", "alone")) {
                assertThat(app.get("/v2/acme/kit/manifests/" + tag, app.admin()).header("Docker-Content-Digest"))
                        .as(tag)
                        .isEqualTo(digest);
            }
        }
    }

    private static void assertDeletedAndRestored(TestApp app, String bundle) {
        String path = ACME + bundle;
        int before = app.get(path, app.admin()).status();
        if (before == 404) { // a repository without versions is no bundle
            return;
        }
        var deleted = app.send("DELETE", path, app.admin(), null);
        assertThat(deleted.status()).as("%s: %s", bundle, deleted.text()).isIn(200, 202, 204);
        assertThat(app.get(path, app.admin()).status()).isEqualTo(404);
        var restored = app.post(path + ":restore", app.admin(), "{}");
        assertThat(restored.status()).as("%s: %s", bundle, restored.text()).isEqualTo(200);
        assertThat(app.get(path, app.admin()).status()).isEqualTo(200);
    }
}
