package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a version of an OCI manifest may name: what is here, with the length that it has. Layers that stand elsewhere
/// are for what is no version.
class WholeVersionsTest extends V2Scenario {
    private static final String FOREIGN = "application/vnd.docker.image.rootfs.foreign.diff.tar.gzip";
    private static final long MOST = (1L << 53) - 1;

    private static String foreign(byte[] bytes, long size, String title) {
        return """
                {"mediaType":"%s","digest":"%s","size":%d,"urls":["https://example.com/x"],\
                "annotations":{"org.opencontainers.image.title":"%s"}}""".formatted(FOREIGN, Digest.sha256(bytes), size, title);
    }

    /// An image manifest with these layers, whose config the repository then holds.
    private String with(String repository, String... layers) {
        return image(repository).replace("\"layers\":[]", "\"layers\":[" + String.join(",", layers) + "]");
    }

    private static String digest(String json) {
        return Digest.sha256(utf8(json)).toString();
    }

    private int versions(String repository) {
        return call("GET", bundle(repository) + "/versions", null)
                .json()
                .path("data") // absent where there is no bundle
                .size();
    }

    private Reply pushIndex(String repository, String reference, String manifests) {
        String json =
                "{\"schemaVersion\":2,\"mediaType\":\"" + MediaType.IMAGE_INDEX + "\",\"manifests\":" + manifests + "}";
        return call(
                "PUT",
                "/v2/" + repository + "/manifests/" + reference,
                utf8(json),
                "Content-Type",
                MediaType.IMAGE_INDEX);
    }

    @Test
    void aForeignLayerThatIsNotHereIsForWhatIsNoVersion() {
        String json = with("whole/absent", foreign(random(40), 40, "a.txt"));

        assertRefused(pushManifest("whole/absent", "1.0.0", json), 404, "MANIFEST_BLOB_UNKNOWN");
        for (String reference : List.of(digest(json), "word", "3.20", "v1.30.2")) {
            assertThat(pushManifest("whole/absent", reference, json).status()).isEqualTo(201);
        }
        for (String reference : List.of("1.0.0", digest(json) + "?tag=1.0.0", digest(json) + "?tag=other&tag=1.0.0")) {
            var refused = pushManifest("whole/absent", reference, json);

            assertRefused(refused, 404, "MANIFEST_BLOB_UNKNOWN");
            assertThat(refused.text()).contains("a tag that is not a version");
        }
        assertThat(versions("whole/absent")).isZero();
    }

    @Test
    void aForeignLayerThatIsHereIsAnAssetOfTheVersion() {
        var bytes = utf8("not so foreign\n");
        String json = with("whole/held", foreign(bytes, bytes.length, "a.txt"));
        assertThat(pushManifest("whole/held", digest(json), json).status()).isEqualTo(201);
        String blob = "/v2/whole/held/blobs/" + pushBlob("whole/held", bytes);

        assertThat(pushManifest("whole/held", "1.0.0", json).status()).isEqualTo(201);

        assertThat(call("GET", bundle("whole/held") + "/versions/1.0.0:pull", null)
                        .json()
                        .at("/manifest/0/contentText")
                        .stringValue())
                .isEqualTo("not so foreign\n");
        assertRefused(call("DELETE", blob, null), 409, "DENIED");
        assertThat(pushManifest("whole/held", "1.0.0", json).status()).isEqualTo(201);
    }

    @Test
    void nothingButALayerStandsElsewhere() {
        String elsewhere = foreign(random(41), 41, "a.txt");
        pushBlob("whole/parts", random(42));
        String config = "{\"schemaVersion\":2,\"mediaType\":\"" + MediaType.IMAGE_MANIFEST + "\",\"config\":"
                + elsewhere + ",\"layers\":[" + descriptor("text/plain", random(42)) + "]}";

        for (String tag : List.of("1.0.0", "word")) {
            assertRefused(pushManifest("whole/parts", tag, config), 404, "MANIFEST_BLOB_UNKNOWN");
            assertRefused(pushIndex("whole/parts", tag, "[" + elsewhere + "]"), 404, "MANIFEST_BLOB_UNKNOWN");
        }
    }

    /// Nobody looked again when the content came after the manifest.
    @Test
    void aLayerHasTheLengthThatTheVersionSays() {
        var bytes = random(400);
        String json = with("whole/lying", foreign(bytes, 3, "a.txt"));
        assertThat(pushManifest("whole/lying", digest(json), json).status()).isEqualTo(201);
        pushBlob("whole/lying", bytes);

        assertRefused(pushManifest("whole/lying", "1.0.0", json), 400, "MANIFEST_INVALID");

        assertThat(versions("whole/lying")).isZero();
    }

    @Test
    void sizesHaveASumThatANumberHolds() {
        for (String tag : List.of("1.0.0", "word")) {
            for (long size : List.of(Long.MAX_VALUE, MOST + 1, MOST - 1)) {
                String json = with(
                        "whole/sums", foreign(random(1), size, "a.txt"), foreign(random(2), Long.MAX_VALUE, "b.txt"));
                assertRefused(pushManifest("whole/sums", tag, json), 400, "MANIFEST_INVALID");
                String twice =
                        with("whole/sums", foreign(random(1), MOST - 1, "a.txt"), foreign(random(2), 2, "b.txt"));
                assertRefused(pushManifest("whole/sums", tag, twice), 400, "MANIFEST_INVALID");
            }
        }
        String most = "{\"mediaType\":\"" + MediaType.IMAGE_MANIFEST + "\",\"digest\":\"" + Digest.sha256(random(3))
                + "\",\"size\":" + MOST + "}";

        assertRefused(pushIndex("whole/sums", "word", "[" + most + "," + most + "]"), 400, "MANIFEST_INVALID");
    }

    @Test
    void aVersionHasAtLeastOneAsset() {
        String none = with("whole/none");

        var refused = pushManifest("whole/none", "1.0.0", none);

        assertRefused(refused, 400, "MANIFEST_INVALID");
        assertThat(refused.text()).contains("at least one asset");
        assertRefused(pushIndex("whole/none", "1.0.0", "[]"), 400, "MANIFEST_INVALID");
        assertThat(pushManifest("whole/none", "word", none).status()).isEqualTo(201);
        assertThat(pushManifest("whole/none", digest(none), none).status()).isEqualTo(201);
    }

    /// As images for several platforms are mirrored.
    @Test
    void anIndexOfManifestsThatAreHereIsAVersion() {
        String json = with("whole/index", described("whole/index", random(20)));
        assertThat(pushManifest("whole/index", digest(json), json).status()).isEqualTo(201);

        var pushed = pushIndex("whole/index", "3.20.1", "[" + descriptor(MediaType.IMAGE_MANIFEST, utf8(json)) + "]");

        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        assertThat(versions("whole/index")).isOne();
    }

    private String described(String repository, byte[] bytes) {
        pushBlob(repository, bytes);
        return descriptor("text/plain", bytes);
    }

    // --- what older rules let in ---

    @Test
    void aNameThatNoFileSystemHoldsIsStillRead() {
        assertThat(app().push("older/kit", "1.0.0", "public", "first").status()).isEqualTo(201);
        String name = "n".repeat(300);
        app().database()
                .write(tx -> tx.handle()
                        .execute(
                                "UPDATE asset SET path = '" + name + "' WHERE version_id IN (SELECT v.id FROM version v"
                                        + " JOIN bundle b ON b.id = v.bundle_id JOIN repository r ON r.id = b.repository_id"
                                        + " WHERE r.namespace = 'older')"));

        for (String path : List.of("/versions/1.0.0:pull", "/assets/" + name + "?version=1.0.0")) {
            var reply = app().get(bundle("older/kit") + path, app().admin());

            assertThat(reply.status()).as(path + ": " + reply.text()).isEqualTo(200);
            assertThat(reply.text()).contains(name);
        }
    }

    /// Makes the rows of version 2.0.0 lie, as could be had by a push.
    private void lying(String repository, long size) {
        assertThat(app().push(repository, "1.0.0", "public", "first").status()).isEqualTo(201);
        assertThat(app().push(repository, "2.0.0", "public", "second ".repeat(20_000))
                        .status())
                .isEqualTo(201);
        app().database().write(tx -> {
            String where = "(SELECT v.id FROM version v JOIN bundle b ON b.id = v.bundle_id JOIN repository r"
                    + " ON r.id = b.repository_id WHERE r.namespace || '/' || r.name = '" + repository
                    + "' AND v.version = '2.0.0')";
            tx.handle().execute("UPDATE asset SET size = " + size + " WHERE version_id = " + where);
            return tx.handle().execute("UPDATE version SET size = " + size + " WHERE id = " + where);
        });
    }

    @Test
    void contentThatIsLongerThanItsRowSaysIsNotRead() {
        for (long size : List.of(3L, Long.MAX_VALUE, -7L)) {
            String name = "lying/kit-" + Long.toString(size).replace("-", "minus");
            lying(name, size);
            for (String path : List.of(
                    bundle(name) + "/versions/2.0.0:pull",
                    "/v1/hub/bundles/" + name + "/versions/2.0.0:pull",
                    bundle(name) + "/assets/SKILL.md?version=2.0.0",
                    "/v1/hub/bundles/" + name + "/assets/SKILL.md?version=2.0.0")) {
                var reply = app().get(path, app().admin());

                assertThat(reply.status()).as(path + ": " + reply.text()).isIn(404, 413);
                assertThat(reply.text()).doesNotContain("second");
            }
            var raw = call(
                    "GET", bundle(name) + "/assets/SKILL.md?version=2.0.0", null, "Accept", "application/octet-stream");
            assertThat(raw.status()).as(raw.text()).isEqualTo(404);
            var diff = app().get(bundle(name) + "/versions/1.0.0:diff?to=2.0.0", app().admin());
            assertThat(diff.text()).doesNotContain("second second");
        }
    }
}
