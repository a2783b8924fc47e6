package dev.sheaf.server.registry.api.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Digest.Algorithm;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The checks of a conformance run, each with either algorithm: every push is followed by GET of the Location,
/// HEAD, GET, DELETE, and HEAD, which is 404 at once. Manifests whose blobs are absent are for `V2SparseTest`: they
/// are not taken unless a setting says so.
class V2ChecksTest extends V2Scenario {
    private static final int[] SIZES = {0, 2, 1_000, 70_000};

    private static String repository(Algorithm algorithm) {
        return "checks/" + algorithm;
    }

    private static String uploads(Algorithm algorithm) {
        return "/v2/" + repository(algorithm) + "/blobs/uploads/";
    }

    private String begun(Algorithm algorithm) {
        var reply = call("POST", uploads(algorithm) + "?digest-algorithm=" + algorithm, null);
        assertThat(reply.status()).as(reply.text()).isEqualTo(202);
        return reply.header("Location");
    }

    private byte[] content(int size) {
        return size == 2 ? utf8("{}") : random(size);
    }

    private void assertRoundTrip(Reply pushed, Algorithm algorithm, byte[] bytes) {
        var digest = Digest.of(algorithm, bytes);
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        String own = "/v2/" + repository(algorithm) + "/blobs/" + digest;
        assertThat(call("GET", pushed.header("Location"), null).response().body())
                .as("seed %d", seed)
                .isEqualTo(bytes);
        var head = call("HEAD", own, null);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Length")).isEqualTo(Integer.toString(bytes.length));
        assertThat(head.header("Docker-Content-Digest")).isEqualTo(digest.toString());
        assertThat(call("GET", own, null).response().body()).isEqualTo(bytes);
        assertThat(call("DELETE", own, null).status()).isEqualTo(202);
        assertThat(call("HEAD", own, null).status()).isEqualTo(404);
    }

    // --- blobs ---

    @ParameterizedTest
    @EnumSource
    void blobMissing(Algorithm algorithm) {
        call("POST", uploads(algorithm), null);
        var digest = Digest.of(algorithm, random(10));

        assertRefused(call("GET", "/v2/" + repository(algorithm) + "/blobs/" + digest, null), 404, "BLOB_UNKNOWN");
        assertThat(call("HEAD", "/v2/" + repository(algorithm) + "/blobs/" + digest, null)
                        .status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource
    void blobByPost(Algorithm algorithm) {
        for (int size : SIZES) {
            var bytes = content(size);
            var pushed = call("POST", uploads(algorithm) + "?digest=" + Digest.of(algorithm, bytes), bytes);
            assertRoundTrip(pushed, algorithm, bytes);
        }
    }

    @ParameterizedTest
    @EnumSource
    void blobByPostAndPut(Algorithm algorithm) {
        for (int size : SIZES) {
            var bytes = content(size);
            assertRoundTrip(finish(begun(algorithm), algorithm, bytes, bytes), algorithm, bytes);
        }
    }

    private Reply finish(String upload, Algorithm algorithm, byte[] whole, byte[] last, String... headers) {
        return call("PUT", upload + "?digest=" + Digest.of(algorithm, whole), last, headers);
    }

    @ParameterizedTest
    @EnumSource
    void blobInOneChunk(Algorithm algorithm) {
        for (int size : SIZES) {
            var bytes = content(size);
            String upload = begun(algorithm);
            var patched = size == 0 ? call("PATCH", upload, bytes) : chunk(upload, bytes, 0, size);
            assertThat(patched.status()).isEqualTo(202);
            assertRoundTrip(finish(patched.header("Location"), algorithm, bytes, new byte[0]), algorithm, bytes);
        }
    }

    private Reply chunk(String upload, byte[] bytes, int from, int to) {
        return call("PATCH", upload, Arrays.copyOfRange(bytes, from, to), "Content-Range", from + "-" + (to - 1));
    }

    @ParameterizedTest
    @EnumSource
    void blobAsAStream(Algorithm algorithm) {
        for (int size : SIZES) {
            var bytes = content(size);
            var patched = app().send(app().request("PATCH", begun(algorithm), credential(), null)
                    .method("PATCH", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes))));
            assertThat(patched.status()).isEqualTo(202);
            assertRoundTrip(finish(patched.header("Location"), algorithm, bytes, new byte[0]), algorithm, bytes);
        }
    }

    @ParameterizedTest
    @EnumSource
    void blobInThreeChunks(Algorithm algorithm) {
        var bytes = random(90_000);
        for (boolean lastInPut : new boolean[] {false, true}) {
            String upload = begun(algorithm);
            upload = chunk(upload, bytes, 0, 30_000).header("Location");
            upload = chunk(upload, bytes, 30_000, 60_000).header("Location");
            if (!lastInPut) {
                upload = chunk(upload, bytes, 60_000, 90_000).header("Location");
            }
            var pushed = lastInPut
                    ? finish(
                            upload,
                            algorithm,
                            bytes,
                            Arrays.copyOfRange(bytes, 60_000, 90_000),
                            "Content-Range",
                            "60000-89999")
                    : finish(upload, algorithm, bytes, new byte[0]);
            assertRoundTrip(pushed, algorithm, bytes);
        }
    }

    @ParameterizedTest
    @EnumSource
    void blobInChunksOutOfOrder(Algorithm algorithm) {
        var bytes = random(60_000);
        String upload = begun(algorithm);
        assertRefused(chunk(upload, bytes, 20_000, 40_000), 416, "BLOB_UPLOAD_INVALID");
        upload = chunk(upload, bytes, 0, 20_000).header("Location");
        for (int start : new int[] {0, 40_000}) {
            assertRefused(chunk(upload, bytes, start, start + 20_000), 416, "BLOB_UPLOAD_INVALID");
            var status = call("GET", upload, null);
            assertThat(status.status()).isEqualTo(204);
            assertThat(status.header("Range")).isEqualTo("0-19999");
            upload = status.header("Location");
        }
        upload = chunk(upload, bytes, 20_000, 60_000).header("Location");
        assertRoundTrip(finish(upload, algorithm, bytes, new byte[0]), algorithm, bytes);
    }

    @ParameterizedTest
    @EnumSource
    void blobByMount(Algorithm algorithm) {
        var bytes = random(5_000);
        var digest = Digest.of(algorithm, bytes);
        call("POST", "/v2/checks/source/blobs/uploads/?digest=" + digest, bytes);
        String mount = uploads(algorithm) + "?mount=";

        assertRoundTrip(call("POST", mount + digest + "&from=checks/source", null), algorithm, bytes);
        assertRoundTrip(call("POST", mount + digest, null), algorithm, bytes);

        for (String from : List.of("", "&from=checks/source", "&from=checks/nowhere")) {
            var missing = call("POST", mount + Digest.of(algorithm, random(5_001)) + from, null);
            assertThat(missing.status()).isEqualTo(202);
            var other = random(7);
            assertRoundTrip(finish(missing.header("Location"), algorithm, other, other), algorithm, other);
        }
    }

    @ParameterizedTest
    @EnumSource
    void blobCancelled(Algorithm algorithm) {
        var bytes = random(500);
        String upload = chunk(begun(algorithm), bytes, 0, 500).header("Location");

        assertThat(call("DELETE", upload, null).status()).isEqualTo(204);

        assertRefused(call("GET", upload, null), 404, "BLOB_UPLOAD_UNKNOWN");
        assertRefused(finish(upload, algorithm, bytes, new byte[0]), 404, "BLOB_UPLOAD_UNKNOWN");
    }

    @ParameterizedTest
    @EnumSource
    void blobInRanges(Algorithm algorithm) {
        var bytes = random(2_000);
        var pushed = call("POST", uploads(algorithm) + "?digest=" + Digest.of(algorithm, bytes), bytes);
        String path = pushed.header("Location");

        assertPart(path, "500-1499", Arrays.copyOfRange(bytes, 500, 1_500));
        assertPart(path, "500-", Arrays.copyOfRange(bytes, 500, 2_000));
        assertPart(path, "-500", Arrays.copyOfRange(bytes, 1_500, 2_000));
        assertPart(path, "1500-9999", Arrays.copyOfRange(bytes, 1_500, 2_000));
        for (String none : List.of("500-0", "2000-", "2000-2001")) {
            var refused = call("GET", path, null, "Range", "bytes=" + none);
            assertThat(refused.status()).isEqualTo(416);
            assertThat(refused.header("Content-Range")).isEqualTo("bytes */2000");
        }
        assertRoundTrip(pushed, algorithm, bytes);
    }

    private void assertPart(String path, String range, byte[] expected) {
        var part = call("GET", path, null, "Range", "bytes=" + range);
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.response().body()).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void blobWithABadDigest(Algorithm algorithm) {
        for (int size : new int[] {600, 60_000}) {
            var bytes = random(size);
            var wrong = Digest.of(algorithm, random(size + 1));
            String streamed = chunk(begun(algorithm), bytes, 0, size).header("Location");

            assertRefused(call("POST", uploads(algorithm) + "?digest=" + wrong, bytes), 400, "DIGEST_INVALID");
            assertRefused(call("PUT", begun(algorithm) + "?digest=" + wrong, bytes), 400, "DIGEST_INVALID");
            assertRefused(call("PUT", streamed + "?digest=" + wrong, null), 400, "DIGEST_INVALID");

            for (var digest : List.of(wrong, Digest.of(algorithm, bytes))) {
                assertThat(call("HEAD", "/v2/" + repository(algorithm) + "/blobs/" + digest, null)
                                .status())
                        .isEqualTo(404);
            }
        }
    }

    // --- data ---

    private String described(Algorithm algorithm, String mediaType, byte[] bytes, String members) {
        return "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d%s}"
                .formatted(mediaType, Digest.of(algorithm, bytes), bytes.length, members);
    }

    private String blob(Algorithm algorithm, byte[] bytes) {
        var pushed = call("POST", uploads(algorithm) + "?digest=" + Digest.of(algorithm, bytes), bytes);
        assertThat(pushed.status()).isEqualTo(201);
        return described(algorithm, "text/plain", bytes, "");
    }

    private static String image(String members, String config, String... layers) {
        return "{\"schemaVersion\":2,\"mediaType\":\"%s\"%s,\"config\":%s,\"layers\":[%s]}"
                .formatted(MediaType.IMAGE_MANIFEST, members, config, String.join(",", layers));
    }

    private static String index(String members, String... manifests) {
        return "{\"schemaVersion\":2,\"mediaType\":\"%s\"%s,\"manifests\":[%s]}"
                .formatted(MediaType.IMAGE_INDEX, members, String.join(",", manifests));
    }

    private static String type(String json) {
        return json.contains("\"manifests\":") ? MediaType.IMAGE_INDEX : MediaType.IMAGE_MANIFEST;
    }

    /// Pushes by digest with two tags, reads back by all three, and describes what is now there.
    private String manifest(Algorithm algorithm, String json) {
        var digest = Digest.of(algorithm, utf8(json));
        String path = "/v2/" + repository(algorithm) + "/manifests/";
        String tag = "t" + digest.hex().substring(0, 8);
        var pushed = call(
                "PUT", path + digest + "?tag=" + tag + "&tag=" + tag + "-b", utf8(json), "Content-Type", type(json));
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        assertThat(pushed.response().headers().allValues("OCI-Tag")).containsExactly(tag, tag + "-b");
        for (String place : List.of(pushed.header("Location"), path + digest, path + tag, path + tag + "-b")) {
            var got = call("GET", place, null);
            assertThat(got.text()).isEqualTo(json);
            assertThat(got.header("Content-Type")).isEqualTo(type(json));
            var head = call("HEAD", place, null);
            assertThat(head.header("Docker-Content-Digest")).isEqualTo(digest.toString());
            assertThat(head.header("Content-Length")).isEqualTo(Integer.toString(utf8(json).length));
        }
        return described(algorithm, type(json), utf8(json), "");
    }

    private void deleted(Algorithm algorithm, String... manifests) {
        for (String json : manifests) {
            String path = "/v2/" + repository(algorithm) + "/manifests/" + Digest.of(algorithm, utf8(json));
            var deleted = call("DELETE", path, null);
            assertThat(deleted.status()).as(deleted.text()).isEqualTo(202);
            assertThat(call("HEAD", path, null).status()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @EnumSource
    void dataOfEveryShape(Algorithm algorithm) {
        String config = blob(algorithm, utf8("{}"));
        String layer = blob(algorithm, random(900));
        var foreign = described(
                algorithm,
                "application/vnd.oci.image.layer.nondistributable.v1.tar",
                random(901),
                ",\"urls\":[\"https://example.com/x\"]");
        String inlined = described(algorithm, "text/plain", utf8("{}"), ",\"data\":\"e30=\"");
        var shapes = List.of(
                image("", config, layer, layer),
                image("", config),
                image(",\"artifactType\":\"a/b\"", config, layer),
                image(",\"artifactType\":\"a/b\",\"annotations\":{\"x\":\"y\"}", inlined, inlined),
                image("", config, foreign),
                image(",\"x-custom\":{\"a\":[1,null]}", config, layer),
                image(",\"x\":\"" + "x".repeat(3_900_000) + "\"", config, layer),
                index(""),
                index(",\"artifactType\":\"a/b\""));
        for (String json : shapes) {
            manifest(algorithm, json);
            deleted(algorithm, json);
        }
    }

    @ParameterizedTest
    @EnumSource
    void dataThatIsNested(Algorithm algorithm) {
        String image = image("", blob(algorithm, utf8("{}")), blob(algorithm, random(910)));
        String inner = index("", manifest(algorithm, image));
        String outer = index(",\"artifactType\":\"a/b\"", manifest(algorithm, inner), manifest(algorithm, image));
        manifest(algorithm, outer);

        deleted(algorithm, outer, inner, image);
    }

    @ParameterizedTest
    @EnumSource
    void dataWithASubject(Algorithm algorithm) {
        String config = blob(algorithm, utf8("{}"));
        String subject = image(",\"x\":\"subject\"", config);
        String member = ",\"subject\":" + described(algorithm, MediaType.IMAGE_MANIFEST, utf8(subject), "");
        var referrers = Stream.of(
                        image(",\"artifactType\":\"a/1\"" + member, config),
                        image(",\"artifactType\":\"a/2\"" + member, config),
                        image(member, config),
                        index(member))
                .toList();
        referrers.forEach(json -> manifest(algorithm, json)); // before the subject is there
        manifest(algorithm, subject);

        var listed = call(
                        "GET",
                        "/v2/" + repository(algorithm) + "/referrers/" + Digest.of(algorithm, utf8(subject)),
                        null)
                .json()
                .get("manifests")
                .valueStream()
                .map(entry -> entry.get("digest").stringValue())
                .collect(Collectors.toSet());

        assertThat(listed)
                .isEqualTo(referrers.stream()
                        .map(json -> Digest.of(algorithm, utf8(json)).toString())
                        .collect(Collectors.toSet()));
        deleted(algorithm, subject);
        deleted(algorithm, referrers.toArray(String[]::new));
    }

    @ParameterizedTest
    @EnumSource
    void dataThatDoesNotMatch(Algorithm algorithm) {
        String json = image("", blob(algorithm, utf8("{}")));
        String path = "/v2/" + repository(algorithm) + "/manifests/" + Digest.of(algorithm, utf8(json));

        var refused = call("PUT", path, utf8(json + " "), "Content-Type", MediaType.IMAGE_MANIFEST);

        assertRefused(refused, 400, "DIGEST_INVALID");
        assertThat(call("HEAD", path, null).status()).isEqualTo(404);
        String sparse = image("", described(algorithm, "text/plain", random(920), ""));
        assertRefused(pushManifest(repository(algorithm), "sparse", sparse), 404, "MANIFEST_BLOB_UNKNOWN");
    }
}
