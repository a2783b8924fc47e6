package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.PushOptions;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Large blobs that clients get from the bucket.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // set before the first test
class V2RedirectTest {
    private static final int MINIMUM = 100_000;
    private final long seed = System.nanoTime();
    private TestApp app;

    @BeforeAll
    void start(@TempDir Path folder) {
        var settings = new HashMap<>(Stack.bucket());
        settings.put("s3-redirect-min-bytes", Integer.toString(MINIMUM));
        app = TestApp.start(folder, settings);
    }

    @AfterAll
    void stop() {
        app.close();
    }

    private byte[] random(int size) {
        var bytes = new byte[size];
        new Random(seed + size).nextBytes(bytes);
        return bytes;
    }

    /// The path of a blob that has just been pushed.
    private String push(byte[] bytes) {
        var digest = Digest.sha256(bytes);
        var pushed = app.send(app.request("POST", "/v2/sent/on/blobs/uploads/?digest=" + digest, app.admin(), null)
                .POST(BodyPublishers.ofByteArray(bytes)));
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        return pushed.header("Location");
    }

    private Reply ask(String method, String path, String... headers) {
        var request = app.request(method, path, app.admin(), null);
        return app.send(headers.length == 0 ? request : request.headers(headers));
    }

    @Test
    void aLargeBlobComesFromTheBucket() throws Exception {
        var bytes = random(MINIMUM);
        String path = push(bytes);

        var sent = ask("GET", path);

        assertThat(sent.status()).as(sent.text()).isEqualTo(307);
        assertThat(sent.header("Docker-Content-Digest"))
                .isEqualTo(Digest.sha256(bytes).toString());
        assertThat(sent.header("Cache-Control")).isEqualTo("no-store");
        assertThat(sent.response().body()).isEmpty();
        assertThat(sent.header("Location")).contains("X-Amz-Expires=900&");
        try (var client = HttpClient.newHttpClient()) {
            var url = URI.create(sent.header("Location"));
            var got = client.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofByteArray());
            assertThat(got.body()).as("seed %d", seed).isEqualTo(bytes);
            var part = client.send(
                    HttpRequest.newBuilder(url).header("Range", "bytes=-500").build(), BodyHandlers.ofByteArray());
            assertThat(part.statusCode()).isEqualTo(206);
            assertThat(part.body()).isEqualTo(Arrays.copyOfRange(bytes, MINIMUM - 500, MINIMUM));
        }
        assertThat(ask("GET", path, "Range", "bytes=5-9").status()).isEqualTo(307);
    }

    @Test
    void everythingElseComesFromTheNode() {
        var bytes = random(MINIMUM + 1);
        String path = push(bytes);
        String etag = "\"" + Digest.sha256(bytes) + "\"";

        var head = ask("HEAD", path);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Length")).isEqualTo(Integer.toString(bytes.length));
        assertThat(ask("GET", path, "If-None-Match", etag).status()).isEqualTo(304);
        assertThat(ask("GET", path, "Range", "bytes=" + bytes.length + "-").status())
                .isEqualTo(416);
        for (int size : new int[] {0, 1_000, MINIMUM - 1}) {
            var small = ask("GET", push(random(size)));
            assertThat(small.status()).isEqualTo(200);
            assertThat(small.response().body()).isEqualTo(random(size));
        }
    }

    @Test
    void aClientMayOptOut() {
        var bytes = random(MINIMUM + 2);
        String path = push(bytes);

        for (String preference : new String[] {"no-redirect", "respond-async, No-Redirect"}) {
            var whole = ask("GET", path, "Prefer", preference);
            assertThat(whole.status()).isEqualTo(200);
            assertThat(whole.response().body()).isEqualTo(bytes);
            var part = ask("GET", path, "Prefer", preference, "Range", "bytes=10-19");
            assertThat(part.status()).isEqualTo(206);
            assertThat(part.response().body()).isEqualTo(Arrays.copyOfRange(bytes, 10, 20));
        }
        assertThat(ask("GET", path, "Prefer", "no-redirects").status()).isEqualTo(307);
    }

    /// No URL for who may not read, nor for what is gone.
    @Test
    void rightsAreAskedFirst() {
        String path = push(random(MINIMUM + 3));

        assertThat(app.send(app.request("GET", path, null, null)).status()).isEqualTo(401);
        String stranger = app.secondOrganization("other");
        assertThat(app.get(path, stranger).status()).isEqualTo(404);
        ask("DELETE", path);
        assertThat(ask("GET", path).status()).isEqualTo(404);
    }

    @Test
    void ourOwnClientFollows(@TempDir Path folder) throws Exception {
        Files.write(Files.createDirectories(folder.resolve("kit")).resolve("data.bin"), random(MINIMUM + 4));
        try (var client = SheafClient.of(RegistryUrl.parse(app.url()))
                .key(Secret.of(app.admin()))
                .cache(folder.resolve("cache"))
                .open()) {
            var reference = Reference.parse("sent/kit:1.0.0");
            client.push(folder.resolve("kit"), reference, PushOptions.DEFAULT);

            client.pull(reference, folder.resolve("pulled"));
        }
        assertThat(folder.resolve("pulled").resolve("data.bin")).hasBinaryContent(random(MINIMUM + 4));
    }
}
