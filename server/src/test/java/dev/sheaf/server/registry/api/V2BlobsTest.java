package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Pushing and pulling blobs (distribution-spec, "Pushing blobs", "Pulling blobs").
class V2BlobsTest extends V2Scenario {
    private static final String REPOSITORY = "blobs/kit";
    private static final String UPLOADS = "/v2/" + REPOSITORY + "/blobs/uploads/";
    private static final int[] SIZES = {0, 2, 20_000, 300_000};

    private void assertStored(Reply pushed, Digest digest, byte[] bytes) {
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        assertThat(pushed.header("Docker-Content-Digest")).isEqualTo(digest.toString());
        String location = pushed.header("Location");
        assertThat(location).isEqualTo("/v2/" + REPOSITORY + "/blobs/" + digest);

        var got = call("GET", location, null);
        var head = call("HEAD", location, null);

        assertThat(got.response().body()).as("seed %d", seed).isEqualTo(bytes);
        for (var reply : new Reply[] {got, head}) {
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.header("Content-Length")).isEqualTo(Integer.toString(bytes.length));
            assertThat(reply.header("Content-Type")).isEqualTo("application/octet-stream");
            assertThat(reply.header("Docker-Content-Digest")).isEqualTo(digest.toString());
            assertThat(reply.header("ETag")).isEqualTo("\"" + digest + "\"");
            assertThat(reply.header("Accept-Ranges")).isEqualTo("bytes");
            assertThat(reply.header("Docker-Distribution-Api-Version")).isEqualTo("registry/2.0");
        }
        assertThat(head.response().body()).isEmpty();
    }

    @Test
    void aBlobIsPushedAtOnce() {
        for (int size : SIZES) {
            var bytes = random(size);
            for (var algorithm : Digest.Algorithm.values()) {
                var digest = Digest.of(algorithm, bytes);
                assertStored(call("PUT", begin(REPOSITORY) + "?digest=" + digest, bytes), digest, bytes);
                assertStored(call("POST", UPLOADS + "?digest=" + digest, bytes), digest, bytes);
            }
        }
    }

    @Test
    void aBlobIsPushedAsAStream() {
        for (int size : SIZES) {
            var bytes = random(size + 1);
            var digest = Digest.sha256(bytes);
            var upload = begin(REPOSITORY);

            var patched = app().send(app().request("PATCH", upload, app().admin(), null)
                    .method("PATCH", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes))));

            assertThat(patched.status()).isEqualTo(202);
            assertThat(patched.header("Range")).isEqualTo("0-" + size);
            assertStored(call("PUT", patched.header("Location") + "?digest=" + digest, null), digest, bytes);
        }
    }

    @Test
    void aBlobIsPushedInChunksTheLastInThePut() {
        var bytes = random(150_000);
        for (var algorithm : Digest.Algorithm.values()) {
            var digest = Digest.of(algorithm, bytes);
            var begun = call("POST", UPLOADS + "?digest-algorithm=" + algorithm, null);
            String upload = begun.header("Location");
            upload = chunk(upload, bytes, 0, 60_000).header("Location");
            upload = chunk(upload, bytes, 60_000, 100_000).header("Location");

            assertStored(
                    call(
                            "PUT",
                            upload + "?digest=" + digest,
                            Arrays.copyOfRange(bytes, 100_000, 150_000),
                            "Content-Range",
                            "100000-149999"),
                    digest,
                    bytes);
        }
    }

    private Reply chunk(String upload, byte[] bytes, int from, int to) {
        return call("PATCH", upload, Arrays.copyOfRange(bytes, from, to), "Content-Range", from + "-" + (to - 1));
    }

    @Test
    void chunksOutOfOrderAreRefusedAndTheUploadGoesOn() {
        var bytes = random(90_000);
        var digest = Digest.sha256(bytes);
        var upload = begin(REPOSITORY);
        chunk(upload, bytes, 0, 30_000);

        for (int start : new int[] {0, 60_000}) {
            var refused = chunk(upload, bytes, start, start + 30_000);

            assertRefused(refused, 416, "BLOB_UPLOAD_INVALID");
            assertThat(refused.header("Range")).isEqualTo("0-29999");
            assertThat(refused.header("Location")).isEqualTo(upload);
            assertThat(call("PUT", upload + "?digest=" + digest, bytes, "Content-Range", "60000-149999")
                            .status())
                    .isEqualTo(416);
            var status = call("GET", upload, null);
            assertThat(status.status()).isEqualTo(204);
            assertThat(status.header("Range")).isEqualTo("0-29999");
            assertThat(status.header("Location")).isEqualTo(upload);
        }

        chunk(upload, bytes, 30_000, 90_000);
        assertStored(call("PUT", upload + "?digest=" + digest, null), digest, bytes);
    }

    @Test
    void aConnectionThatBreaksInAChunkLeavesWhatCame() throws IOException {
        var bytes = random(400_000);
        var digest = Digest.sha256(bytes);
        var upload = begin(REPOSITORY);
        chunk(upload, bytes, 0, 50_000);

        try (var socket = new Socket("127.0.0.1", Integer.parseInt(app().host().split(":")[1]))) {
            var head = "PATCH " + upload + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + app().admin()
                    + "\r\nContent-Length: 350000\r\nContent-Range: 50000-399999\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(bytes, 50_000, 200_000);
            socket.getOutputStream().flush();
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        }

        assertThat(call("GET", upload, null).header("Range"))
                .as("what came is kept")
                .isEqualTo("0-249999");
        assertThat(chunk(upload, bytes, 250_000, 400_000).status()).isEqualTo(202);
        assertStored(call("PUT", upload + "?digest=" + digest, null), digest, bytes);
    }

    @Test
    void partsOfABlobAreServed() {
        for (int size : new int[] {2_000, 200_000}) {
            var bytes = random(size);
            String path = "/v2/" + REPOSITORY + "/blobs/" + pushBlob(REPOSITORY, bytes);

            assertPart(path, "bytes=500-1499", bytes, 500, 1_500);
            assertPart(path, "bytes=500-", bytes, 500, size);
            assertPart(path, "bytes=-500", bytes, size - 500, size);
            assertPart(path, "bytes=-999999", bytes, 0, size);
            assertPart(path, "bytes=500-999999999", bytes, 500, size);
            for (String all : new String[] {"bytes=0-1,5-6", "lines=1-2", "bytes=-", "bytes=x"}) {
                assertThat(call("GET", path, null, "Range", all).status()).isEqualTo(200);
            }
            for (String none : new String[] {"bytes=500-0", "bytes=" + size + "-", "bytes=-0"}) {
                var refused = call("GET", path, null, "Range", none);
                assertThat(refused.status()).as(none).isEqualTo(416);
                assertThat(refused.header("Content-Range")).isEqualTo("bytes */" + size);
            }
        }
    }

    private void assertPart(String path, String range, byte[] bytes, int from, int to) {
        for (String method : new String[] {"GET", "HEAD"}) {
            var part = call(method, path, null, "Range", range);
            assertThat(part.status()).isEqualTo(206);
            assertThat(part.header("Content-Range")).isEqualTo("bytes " + from + "-" + (to - 1) + "/" + bytes.length);
            assertThat(part.header("Content-Length")).isEqualTo(Integer.toString(to - from));
            if (method.equals("GET")) {
                assertThat(part.response().body()).isEqualTo(Arrays.copyOfRange(bytes, from, to));
            }
        }
    }

    @Test
    void whatTheClientHasIsNotSentAgain() {
        var digest = pushBlob(REPOSITORY, random(100));
        String path = "/v2/" + REPOSITORY + "/blobs/" + digest;

        for (String tags : new String[] {"\"" + digest + "\"", "\"x\", W/\"" + digest + "\"", "*"}) {
            var same = call("GET", path, null, "If-None-Match", tags);
            assertThat(same.status()).isEqualTo(304);
            assertThat(same.header("ETag")).isEqualTo("\"" + digest + "\"");
        }
        assertThat(call("GET", path, null, "If-None-Match", "\"x\"").status()).isEqualTo(200);
        assertThat(call("GET", path, null, "Range", "bytes=0-1", "If-Range", "\"x\"")
                        .status())
                .isEqualTo(200);
        assertThat(call("GET", path, null, "Range", "bytes=0-1", "If-Range", "\"" + digest + "\"")
                        .status())
                .isEqualTo(206);
    }

    @Test
    void aWrongDigestIsRefusedByEveryPathAndNothingStays() {
        var bytes = random(70_000);
        var wrong = Digest.sha256(random(70_001));
        var streamed = begin(REPOSITORY);
        call("PATCH", streamed, bytes);

        assertRefused(call("POST", UPLOADS + "?digest=" + wrong, bytes), 400, "DIGEST_INVALID");
        assertRefused(call("PUT", begin(REPOSITORY) + "?digest=" + wrong, bytes), 400, "DIGEST_INVALID");
        assertRefused(call("PUT", streamed + "?digest=" + wrong, null), 400, "DIGEST_INVALID");

        assertRefused(call("GET", streamed, null), 404, "BLOB_UPLOAD_UNKNOWN");
        assertRefused(call("GET", "/v2/" + REPOSITORY + "/blobs/" + wrong, null), 404, "BLOB_UNKNOWN");
        for (String malformed : new String[] {"", "sha256:abc", "md5:x", "sha256:" + "A".repeat(64), "x"}) {
            assertRefused(call("PUT", begin(REPOSITORY) + "?digest=" + malformed, bytes), 400, "DIGEST_INVALID");
        }
        assertRefused(call("PUT", begin(REPOSITORY), bytes), 400, "DIGEST_INVALID");
        assertRefused(call("GET", "/v2/" + REPOSITORY + "/blobs/sha256:abc", null), 400, "DIGEST_INVALID");
    }

    @Test
    void aBlobIsMountedFromWhereTheCallerMayReadIt() {
        var bytes = random(50_000);
        var digest = pushBlob("blobs/source", bytes);
        String other = app().secondOrganization("mounters" + Math.abs(seed));
        String mount = UPLOADS + "?mount=" + digest;

        assertStored(call("POST", mount + "&from=blobs/source", null), digest, bytes);

        for (String from : new String[] {"", "&from=blobs/nothing", "&from=blobs/source", "&from=x"}) {
            var refused = callAs(
                    other,
                    "POST",
                    "/v2/mounters-" + Math.abs(seed) + "/kit/blobs/uploads/?mount=" + digest + from,
                    null);
            assertThat(refused.status()).isEqualTo(202);
            assertThat(refused.header("Location")).isNotBlank();
        }
        var missing = Digest.sha256(random(3));
        assertThat(call("POST", UPLOADS + "?mount=" + missing + "&from=blobs/source", null)
                        .status())
                .isEqualTo(202);
    }

    @Test
    void aCancelledUploadIsGone() {
        var upload = begin(REPOSITORY);

        assertThat(call("DELETE", upload, null).status()).isEqualTo(204);

        assertRefused(call("GET", upload, null), 404, "BLOB_UPLOAD_UNKNOWN");
        assertRefused(call("DELETE", upload, null), 404, "BLOB_UPLOAD_UNKNOWN");
        assertRefused(call("PATCH", UPLOADS + "x", random(3)), 404, "BLOB_UPLOAD_UNKNOWN");
    }

    @Test
    void anUploadBelongsToWhoeverBeganIt() {
        var upload = begin(REPOSITORY);
        String colleague = app().key("colleague" + seed, "write");

        assertRefused(callAs(colleague, "GET", upload, null), 404, "BLOB_UPLOAD_UNKNOWN");
        assertRefused(callAs(colleague, "PATCH", upload, random(3)), 404, "BLOB_UPLOAD_UNKNOWN");
    }

    @Test
    void aBlobOfAnotherRepositoryIsNotServed() {
        var digest = pushBlob("blobs/source", random(77));
        pushBlob("blobs/empty", random(78));

        assertRefused(call("GET", "/v2/blobs/empty/blobs/" + digest, null), 404, "BLOB_UNKNOWN");
    }

    @Test
    void aMalformedContentRangeIsRefused() {
        for (String range : new String[] {"x", "5", "3-1", "-5", "0-10", "99999999999999999999-1"}) {
            assertRefused(
                    call("PATCH", begin(REPOSITORY), random(5), "Content-Range", range), 400, "BLOB_UPLOAD_INVALID");
        }
    }
}
