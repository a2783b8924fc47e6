package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.sheaf.client.api.Pulled;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Reference;
import dev.sheaf.model.wire.bundle.PulledBundle;
import dev.sheaf.model.wire.bundle.Resolution;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A small bundle is pulled in one response, which is verified like any other.
class OneRequestTest {
    private static final Reference KIT = Reference.parse("acme/kit:1.0.0");

    @TempDir
    private Path folder;

    private final TinyRegistry registry = TinyRegistry.start();

    @BeforeEach
    void start() {
        registry.answerPull();
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private Resolution publish() {
        return registry.content.publish(
                "acme/kit:1.0.0",
                Map.of(
                        "a.txt",
                        "text \u0001 \"quoted\" ü\r\n".getBytes(StandardCharsets.UTF_8),
                        "b/c.bin",
                        new byte[] {0, -1, -2, 127},
                        "empty",
                        new byte[0]));
    }

    private Pulled pull() {
        try (var client = SheafClient.of(registry.url())
                .cache(folder.resolve("cache"))
                .pause(wait -> {})
                .open()) {
            return client.pull(KIT, folder.resolve("out"));
        }
    }

    @Test
    void bringsAllFilesAndTheManifestWithOneRequestAfterResolve() throws IOException {
        publish();

        var pulled = pull();

        assertThat(registry.requests("")).hasSize(2);
        assertThat(PullTest.contentOf(folder.resolve("out")))
                .hasSize(3)
                .hasEntrySatisfying("b/c.bin", bytes -> assertThat(bytes).containsExactly(0, -1, -2, 127))
                .hasEntrySatisfying(
                        "a.txt",
                        bytes -> assertThat(bytes)
                                .asString(StandardCharsets.UTF_8)
                                .endsWith("ü\r\n"));
        assertThat(pulled.fetchedBytes()).isEqualTo(pulled.sizeBytes());
        assertThat(folder.resolve("cache/locks")).isDirectoryNotContaining("glob:**.partial");
    }

    @Test
    void isNotAskedForOneMissingFile() throws IOException {
        publish();
        Path cached = pull().assets().getFirst().file();
        assertThat(cached).exists();
        Path blob;
        try (var files = Files.walk(folder.resolve("cache/blobs"))) {
            blob = files.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
        Files.delete(blob);

        pull();

        assertThat(registry.requests(":pull")).hasSize(1);
        assertThat(blob).exists();
    }

    @Test
    void isNotAskedForALargeBundle() {
        registry.content.publish("acme/kit:1.0.0", Map.of("a", new byte[1 << 20], "b", new byte[1]));

        pull();

        assertThat(registry.requests(":pull")).isEmpty();
        assertThat(registry.requests("/blobs/")).hasSize(2);
    }

    @Test
    void anotherNameByNowCostsTheRequestForTheManifest() {
        publish();
        answer(whole -> new PulledBundle(
                whole.namespace(),
                whole.slug(),
                whole.version(),
                "New name",
                null,
                whole.ociDigest(),
                whole.manifest(),
                null));

        pull();

        assertThat(registry.requests("/manifests/")).hasSize(1);
        assertThat(registry.requests("/blobs/")).isEmpty();
    }

    @Test
    void aRegistryThatRefusesItIsAskedBlobByBlob() {
        publish();
        registry.replace(":pull", e -> TinyRegistry.problem(e, 413, "payload-too-large", "too large"));

        pull();

        assertThat(registry.requests("/blobs/")).hasSize(2);
    }

    private void answer(UnaryOperator<PulledBundle> other) {
        registry.replace(":pull", exchange -> {
            var version = java.util.Objects.requireNonNull(registry.content.versions.get("acme/kit:1.0.0"));
            TinyRegistry.send(exchange, 200, WireJson.write(other.apply(registry.content.whole(version))));
        });
    }

    private void assertRefused(String message) throws IOException {
        assertThatThrownBy(this::pull)
                .isInstanceOf(SheafException.Integrity.class)
                .hasMessageContaining(message);
        assertThat(folder.resolve("out")).doesNotExist();
        for (String part : List.of("blobs", "partial")) {
            Path cache = folder.resolve("cache").resolve(part);
            assertThat(Files.exists(cache) ? PullTest.contentOf(cache) : Map.of())
                    .isEmpty();
        }
    }

    private static PulledBundle with(PulledBundle whole, String digest, List<PulledBundle.Asset> files) {
        return new PulledBundle(
                whole.namespace(), whole.slug(), whole.version(), whole.name(), null, digest, files, null);
    }

    private static PulledBundle.Asset file(String path, String text) {
        return new PulledBundle.Asset(path, "other", text, null, "", text.length(), null, null);
    }

    @Test
    void aWrongByteIsRefused() throws IOException {
        publish();
        answer(whole -> with(
                whole,
                whole.ociDigest(),
                whole.manifest().stream()
                        .map(asset -> asset.logicalPath().equals("a.txt")
                                ? file("a.txt", asset.contentText().replace('t', 'T'))
                                : asset)
                        .toList()));

        assertRefused("received with the digest");
    }

    @Test
    void aWrongLengthAnotherBundleAndAMissingFileAreRefused() throws IOException {
        publish();
        answer(whole -> with(whole, whole.ociDigest(), List.of(file("a.txt", "x"))));
        assertRefused("has 1 bytes instead of");

        answer(whole -> with(whole, "sha256:" + "0".repeat(64), whole.manifest()));
        assertRefused("its digest is");

        answer(whole -> with(whole, whole.ociDigest(), whole.manifest().subList(0, 2)));
        assertRefused("is missing");
    }

    /// 64 MiB of zeros compress to 64 KiB.
    @Test
    void aPackedAnswerThatUnfoldsWithoutEndIsCut() {
        publish();
        registry.replace(":pull", OneRequestTest::bomb);

        pull();

        assertThat(registry.requests(":pull")).isNotEmpty();
        assertThat(registry.requests("/blobs/")).as("blob by blob instead").hasSize(2);
    }

    /// A response to a request without compression is not decompressed.
    @Test
    void nothingElseIsUnpacked() {
        publish();
        registry.replace(":resolve", OneRequestTest::bomb);

        assertThatThrownBy(this::pull)
                .isInstanceOf(SheafException.Server.class)
                .hasMessageContaining("is not the expected JSON");
    }

    private static void bomb(HttpExchange exchange) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(packed)) {
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 64; i++) {
                out.write(zeros);
            }
        }
        exchange.getResponseHeaders().set("Content-Encoding", "gzip");
        TinyRegistry.send(exchange, 200, packed.toByteArray());
    }
}
