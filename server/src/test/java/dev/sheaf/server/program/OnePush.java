package dev.sheaf.server.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import dev.sheaf.server.testing.program.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// A push by an OCI client that remembers what it was told: a blob in three chunks, a blob at once, a small config,
/// and a manifest over them under the tag `1.0.0`. It can be broken off at any request, say what a server must
/// still stand by, and go on.
final class OnePush {
    private static final int CHUNK = 70_000;
    private static final String TAG = "1.0.0";
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newHttpClient();
    private final String repository;
    private final byte[] config = "{}".getBytes(StandardCharsets.UTF_8);
    private final byte[] chunked = new byte[200_000];
    private final byte[] whole = new byte[40_000];
    private final Map<Digest, byte[]> acknowledged = new HashMap<>();
    private ServerProcess server;
    private @Nullable String location;
    private int offset;
    private int sent;
    private boolean isClosing;
    private boolean isTagged;

    /// Why a request got no good answer: another status than expected, or -1 where the connection broke.
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        final int status;

        Refused(String message, int status) {
            super(message);
            this.status = status;
        }
    }

    OnePush(ServerProcess server, String repository, long seed) {
        this.server = server;
        this.repository = repository;
        var random = new Random(seed);
        random.nextBytes(chunked);
        random.nextBytes(whole);
    }

    /// Does what is left to do.
    void run() throws Refused {
        if (!acknowledged.containsKey(Digest.sha256(chunked))) {
            pushInChunks();
        }
        for (byte[] blob : new byte[][] {whole, config}) {
            expect(send("POST", "blobs/uploads/?digest=" + Digest.sha256(blob), blob), 201);
            acknowledged.put(Digest.sha256(blob), blob);
        }
        expect(send("PUT", "manifests/" + TAG, manifest()), 201);
        isTagged = true;
    }

    private void pushInChunks() throws Refused {
        String place = location;
        if (place == null) {
            isClosing = false;
            offset = 0;
            sent = 0;
            place = path(expect(send("POST", "blobs/uploads/", null), 202).header("Location"));
            location = place;
        }
        while (offset + CHUNK < chunked.length) {
            sent = offset + CHUNK;
            expect(send("PATCH", place, Arrays.copyOfRange(chunked, offset, sent)), 202);
            offset = sent;
        }
        isClosing = true;
        byte[] last = Arrays.copyOfRange(chunked, offset, chunked.length);
        expect(send("PUT", place + "?digest=" + Digest.sha256(chunked), last), 201);
        acknowledged.put(Digest.sha256(chunked), chunked);
    }

    /// Whatever was broken off: goes on with the upload where the server still has it, else begins it anew.
    ///
    /// @param now where to go on, on the same data
    void goOn(ServerProcess now) throws Refused {
        server = now;
        String place = location;
        if (place != null && !acknowledged.containsKey(Digest.sha256(chunked))) {
            var status = send("GET", place, null);
            if (status.status() == 204) {
                int held = held(status);
                assertThat(held).as("what an upload holds").isIn(offset, sent);
                offset = held;
            } else {
                assertThat(status.status()).as(status.text()).isEqualTo(404);
                assertThat(isClosing)
                        .as("an upload ended that was not being ended")
                        .isTrue();
                location = null;
            }
        }
        try {
            run();
        } catch (Refused e) {
            if (e.status != 404) {
                throw e;
            }
            location = null; // the server no longer trusts what it had of the upload, and says so
            run();
        }
    }

    private static int held(Reply status) {
        int last = Integer.parseInt(status.header("Range").substring("0-".length()));
        return last == 0 ? 0 : last + 1;
    }

    /// Asserts what holds at every moment: what was acknowledged is there, and nothing is half there.
    void assertStands(ServerProcess now) throws Refused {
        server = now;
        for (byte[] blob : new byte[][] {chunked, whole, config}) {
            assertWholeOrAbsent(blob, acknowledged.containsKey(Digest.sha256(blob)));
        }
        var manifest = send("GET", "manifests/" + TAG, null);
        var tags = send("GET", "tags/list", null);
        if (isTagged || manifest.status() == 200) {
            assertThat(manifest.status()).as("an acknowledged tag").isEqualTo(200);
            assertThat(manifest.response().body()).isEqualTo(manifest());
            assertThat(tags.text()).contains('"' + TAG + '"');
            for (byte[] blob : new byte[][] {chunked, whole, config}) {
                assertWholeOrAbsent(blob, true);
            }
        } else {
            assertThat(manifest.status()).isEqualTo(404);
            assertThat(tags.text()).doesNotContain('"' + TAG + '"');
        }
    }

    private void assertWholeOrAbsent(byte[] blob, boolean mustBeThere) throws Refused {
        String path = "blobs/" + Digest.sha256(blob);
        var head = send("HEAD", path, null);
        var got = send("GET", path, null);
        assertThat(head.status()).as("HEAD says what GET says").isEqualTo(got.status());
        if (mustBeThere || got.status() == 200) {
            assertThat(got.status()).as("%s in %s", path, repository).isEqualTo(200);
            assertThat(got.response().body()).isEqualTo(blob);
        } else {
            assertThat(got.status()).isEqualTo(404);
        }
    }

    private byte[] manifest() {
        return """
                {"schemaVersion":2,"mediaType":"%s","artifactType":"application/x-test","config":%s,"layers":[%s,%s]}""".formatted(
                        MediaType.IMAGE_MANIFEST,
                        V2Scenario.descriptor("application/vnd.oci.empty.v1+json", config),
                        V2Scenario.descriptor("application/octet-stream", chunked),
                        V2Scenario.descriptor("application/octet-stream", whole))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static Reply expect(Reply reply, int status) throws Refused {
        if (reply.status() != status) {
            throw new Refused(reply.status() + " " + reply.text(), reply.status());
        }
        return reply;
    }

    private String path(String absolute) {
        return absolute.substring(("/v2/" + repository + "/").length());
    }

    private Reply send(String method, String path, byte @Nullable [] body) throws Refused {
        try {
            var request = HttpRequest.newBuilder(URI.create(server.url() + "/v2/" + repository + "/" + path))
                    .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                    .timeout(LONGEST)
                    .header("Authorization", "Bearer " + server.adminKey().expose());
            if (path.startsWith("manifests/")) {
                request.header("Content-Type", MediaType.IMAGE_MANIFEST);
            }
            return new Reply(client.send(request.build(), BodyHandlers.ofByteArray()));
        } catch (IOException e) {
            throw new Refused(method + " " + path + ": " + e, -1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
