package dev.sheaf.server.registry.api.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Digest.Algorithm;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.V2Scenario;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The checks of a conformance run on manifests whose content is absent, where these are taken.
class V2SparseTest extends V2Scenario {
    @Override
    public Map<String, String> settings() {
        return Map.of("sparse-manifests", "true");
    }

    private static String described(Algorithm algorithm, String mediaType, byte[] bytes) {
        return """
                {"mediaType":"%s","digest":"%s","size":%d}""".formatted(mediaType, Digest.of(algorithm, bytes), bytes.length);
    }

    private static String sparseImage(Algorithm algorithm, byte[] config, byte[] layer) {
        return """
                {"schemaVersion":2,"mediaType":"%s","artifactType":"a/b","config":%s,"layers":[%s]}""".formatted(
                        MediaType.IMAGE_MANIFEST,
                        described(algorithm, "application/vnd.oci.empty.v1+json", config),
                        described(algorithm, "text/plain", layer));
    }

    private static String sparseIndex(Algorithm algorithm, String... manifests) {
        var list = List.of(manifests).stream()
                .map(json -> described(algorithm, MediaType.IMAGE_MANIFEST, utf8(json)))
                .toList();
        return """
                {"schemaVersion":2,"mediaType":"%s","manifests":[%s]}""".formatted(MediaType.IMAGE_INDEX, String.join(",", list));
    }

    private void assertRoundTrip(Algorithm algorithm, String json, String type) {
        var digest = Digest.of(algorithm, utf8(json));
        for (String reference : List.of("sparse-" + algorithm, digest.toString())) {
            String path = "/v2/sparse/kit/manifests/" + reference;
            var pushed = call(
                    "PUT",
                    "/v2/sparse/kit/manifests/" + digest + "?tag=sparse-" + algorithm,
                    utf8(json),
                    "Content-Type",
                    type);
            assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
            assertThat(call("GET", pushed.header("Location"), null).text()).isEqualTo(json);
            var head = call("HEAD", path, null);
            assertThat(head.header("Docker-Content-Digest")).isEqualTo(digest.toString());
            assertThat(head.header("Content-Length")).isEqualTo(Integer.toString(utf8(json).length));
            assertThat(call("GET", path, null).text()).isEqualTo(json);
            assertThat(call("DELETE", path, null).status()).isEqualTo(202);
            assertThat(call("HEAD", path, null).status()).isEqualTo(404);
            call("DELETE", "/v2/sparse/kit/manifests/" + digest, null);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSparseImageAndIndexAreKept(Algorithm algorithm) {
        assertRoundTrip(algorithm, sparseImage(algorithm, random(1), random(2)), MediaType.IMAGE_MANIFEST);
        String there = image("sparse/kit", random(3));
        pushManifest("sparse/kit", Digest.of(algorithm, utf8(there)).toString(), there);
        String absent = sparseImage(algorithm, random(4), random(5));
        assertRoundTrip(algorithm, sparseIndex(algorithm, absent), MediaType.IMAGE_INDEX);
        assertRoundTrip(algorithm, sparseIndex(algorithm, there, absent), MediaType.IMAGE_INDEX);
    }

    @Test
    void whatIsThereIsPulledAndWhatIsNotIsMissing() {
        var layer = random(20);
        var config = utf8("{}");
        pushBlob("sparse/part", config);
        pushManifest("sparse/part", "word", sparseImage(Algorithm.SHA256, config, layer));

        assertThat(call("GET", "/v2/sparse/part/blobs/" + Digest.sha256(config), null)
                        .status())
                .isEqualTo(200);
        assertRefused(call("GET", "/v2/sparse/part/blobs/" + Digest.sha256(layer), null), 404, "BLOB_UNKNOWN");
    }

    /// What comes later is referred to like what was there before: it cannot be deleted from under the manifest.
    @Test
    void whatComesLaterBelongsToTheManifest() {
        var layer = random(30);
        String image = sparseImage(Algorithm.SHA256, utf8("{}"), layer);
        String index = sparseIndex(Algorithm.SHA256, image);
        var imageDigest = Digest.sha256(utf8(image));
        assertThat(call("PUT", "/v2/sparse/later/manifests/list", utf8(index), "Content-Type", MediaType.IMAGE_INDEX)
                        .status())
                .isEqualTo(201);
        assertThat(pushManifest("sparse/later", imageDigest.toString(), image).status())
                .isEqualTo(201);
        String blob = "/v2/sparse/later/blobs/" + pushBlob("sparse/later", layer);
        String manifest = "/v2/sparse/later/manifests/" + imageDigest;

        assertRefused(call("DELETE", blob, null), 409, "DENIED");
        assertRefused(call("DELETE", manifest, null), 409, "DENIED");
        call("DELETE", "/v2/sparse/later/manifests/" + Digest.sha256(utf8(index)), null);
        assertThat(call("DELETE", manifest, null).status()).isEqualTo(202);
        assertThat(call("DELETE", blob, null).status()).isEqualTo(202);
    }

    /// A bundle is pulled whole or not at all.
    @Test
    void aVersionIsNeverSparse() {
        var layer = random(40);
        String json = sparseImage(Algorithm.SHA256, utf8("{}"), layer);
        String digest = Digest.sha256(utf8(json)).toString();
        pushManifest("sparse/whole", "word", json);

        for (String reference : List.of("1.0.0", digest + "?tag=1.0.0", digest + "?tag=other&tag=1.0.0")) {
            assertRefused(pushManifest("sparse/whole", reference, json), 404, "MANIFEST_BLOB_UNKNOWN");
        }
        pushBlob("sparse/whole", layer);
        assertRefused(pushManifest("sparse/whole", "1.0.0", json), 404, "MANIFEST_BLOB_UNKNOWN");
        pushBlob("sparse/whole", utf8("{}"));
        assertThat(pushManifest("sparse/whole", "1.0.0", json).status()).isEqualTo(201);
    }

    /// What comes later was compared with nothing.
    @Test
    void aVersionHasTheSizesThatItStates() {
        var layer = random(50);
        String json = sparseImage(Algorithm.SHA256, utf8("{}"), layer).replace("\"size\":50", "\"size\":5");
        assertThat(pushManifest("sparse/lying", "word", json).status()).isEqualTo(201);
        pushBlob("sparse/lying", layer);
        pushBlob("sparse/lying", utf8("{}"));

        assertRefused(pushManifest("sparse/lying", "1.0.0", json), 400, "MANIFEST_INVALID");
    }
}
