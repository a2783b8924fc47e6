package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.Pulled;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.RetryPolicy;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pulls from an honest registry: what arrives, which requests are sent, and which are repeated.
public class PullTest {
    private static final Reference KIT = Reference.parse("acme/kit:1.0.0");
    private static final byte[] SKILL = "# Skill\n".getBytes(StandardCharsets.UTF_8);
    private static final byte[] IMAGE = random(300_000);

    @TempDir
    Path folder;

    private final TinyRegistry registry = TinyRegistry.start();

    @AfterEach
    void stop() {
        registry.close();
    }

    private SheafClient client() {
        return SheafClient.of(registry.url())
                .cache(folder.resolve("cache"))
                .pause(wait -> {})
                .open();
    }

    private Digest publish() {
        var files = Map.of("skills/a/SKILL.md", SKILL, "logo.png", IMAGE);
        return Digest.parse(registry.content.publish("acme/kit:1.0.0", files).ociDigest());
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    public static Map<String, byte[]> contentOf(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith(folder.resolve(".sheaf")))
                    .collect(Collectors.toMap(
                            file -> folder.relativize(file).toString().replace('\\', '/'), PullTest::read));
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void writesExactlyTheFilesOfTheBundle() throws IOException {
        var digest = publish();

        Pulled pulled;
        try (var client = client()) {
            pulled = client.pull(KIT, folder.resolve("out"));
        }

        assertThat(contentOf(folder.resolve("out")))
                .hasSize(2)
                .hasEntrySatisfying("skills/a/SKILL.md", b -> assertThat(b).isEqualTo(SKILL))
                .hasEntrySatisfying("logo.png", b -> assertThat(b).isEqualTo(IMAGE));
        assertThat(pulled.manifestDigest()).isEqualTo(digest);
        assertThat(pulled.fetchedBytes()).isEqualTo(SKILL.length + IMAGE.length);
        assertThat(folder.resolve("out").toFile().list()).containsExactlyInAnyOrder(".sheaf", "skills", "logo.png");
    }

    @Test
    void asksForNothingButResolveWhenAllIsCached() {
        publish();
        try (var client = client()) {
            client.pull(KIT, folder.resolve("first"));
            int before = registry.requests("/v2/").size();

            var pulled = client.pull(KIT, folder.resolve("second"));

            assertThat(registry.requests("/v2/")).hasSize(before);
            assertThat(pulled.fetchedBytes()).isZero();
            assertThat(folder.resolve("second/logo.png")).hasBinaryContent(IMAGE);
        }
    }

    @Test
    void healsADamagedEntryOfTheCache() throws IOException {
        publish();
        try (var client = client()) {
            Path cached = client.pull(KIT).assets().getFirst().file();
            byte[] damaged = Files.readAllBytes(cached);
            damaged[100] ^= 1;
            Files.write(cached, damaged);

            client.pull(KIT, folder.resolve("out"));

            assertThat(folder.resolve("out/logo.png")).hasBinaryContent(IMAGE);
            assertThat(cached).hasBinaryContent(IMAGE);
        }
    }

    @Test
    void fetchesOnlyTheRestAfterABrokenConnection() {
        publish();
        String blob = Digest.sha256(IMAGE).toString();
        registry.replaceOnce(blob, exchange -> TinyRegistry.cutOff(exchange, IMAGE, 200_000));

        try (var client = client()) {
            client.pull(KIT, folder.resolve("out"));
        }

        var requests = registry.requests(blob);
        assertThat(requests).hasSize(2);
        String range = requests.getLast().headers().getFirst("Range");
        assertThat(range).startsWith("bytes=").endsWith("-").isNotEqualTo("bytes=0-");
        assertThat(folder.resolve("out/logo.png")).hasBinaryContent(IMAGE);
    }

    @Test
    void goesOnWhereTheRegistryFellSilent() {
        publish();
        String blob = Digest.sha256(IMAGE).toString();
        var silent = new CountDownLatch(1);
        registry.replaceOnce(blob, exchange -> {
            exchange.sendResponseHeaders(200, IMAGE.length);
            exchange.getResponseBody().write(IMAGE, 0, 150_000);
            exchange.getResponseBody().flush();
            await(silent);
        });

        try (var client = SheafClient.of(registry.url())
                .cache(folder.resolve("cache"))
                .pause(wait -> {})
                .silence(Duration.ofSeconds(1))
                .open()) {
            client.pull(KIT, folder.resolve("out"));
        } finally {
            silent.countDown();
        }

        assertThat(registry.requests(blob).getLast().headers().getFirst("Range"))
                .startsWith("bytes=");
        assertThat(folder.resolve("out/logo.png")).hasBinaryContent(IMAGE);
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void goesOnWhereAnEarlierProcessStopped() throws IOException {
        publish();
        var blob = Digest.sha256(IMAGE);
        Path partial = Files.createDirectories(folder.resolve("cache/partial")).resolve(blob.hex());
        Files.write(partial, java.util.Arrays.copyOf(IMAGE, 250_000));

        try (var client = client()) {
            client.pull(KIT, folder.resolve("out"));
        }

        assertThat(registry.requests(blob.toString()))
                .singleElement()
                .satisfies(r -> assertThat(r.headers().getFirst("Range")).isEqualTo("bytes=250000-"));
        assertThat(folder.resolve("out/logo.png")).hasBinaryContent(IMAGE);
        assertThat(partial).doesNotExist();
    }

    @Test
    void startsOverWhereTheEarlierProcessLeftWrongBytes() throws IOException {
        publish();
        var blob = Digest.sha256(IMAGE);
        Path partial = Files.createDirectories(folder.resolve("cache/partial")).resolve(blob.hex());
        Files.write(partial, new byte[1000]);

        try (var client = client()) {
            client.pull(KIT, folder.resolve("out"));
        }

        assertThat(folder.resolve("out/logo.png")).hasBinaryContent(IMAGE);
    }

    @Test
    void startsOverWhereTheRegistryKnowsNoRanges() {
        publish();
        String blob = Digest.sha256(IMAGE).toString();
        registry.replaceOnce(blob, exchange -> {
            registry.replace(blob, next -> TinyRegistry.send(next, 200, IMAGE));
            TinyRegistry.cutOff(exchange, IMAGE, 1000);
        });

        try (var client = client()) {
            client.pull(KIT, folder.resolve("out"));
        }

        assertThat(folder.resolve("out/logo.png")).hasBinaryContent(IMAGE);
    }

    @Test
    void givesUpAfterFourBrokenConnectionsAndKeepsWhatArrived() {
        publish();
        String blob = Digest.sha256(IMAGE).toString();
        registry.replace(blob, exchange -> TinyRegistry.problem(exchange, 503, "service-unavailable", "later"));

        try (var client = client()) {
            assertThatThrownBy(() -> client.pull(KIT, folder.resolve("out")))
                    .isInstanceOf(SheafException.Server.class)
                    .hasMessage("later");
        }

        assertThat(registry.requests(blob)).hasSize(RetryPolicy.ATTEMPTS);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void twoClientsWithOneCacheFetchEachBlobOnce() throws Exception {
        publish();
        try (var first = client();
                var second = client();
                var threads = java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor()) {
            var one = threads.submit(() -> first.pull(KIT, folder.resolve("one")));
            var two = threads.submit(() -> second.pull(KIT, folder.resolve("two")));
            one.get();
            two.get();
        }

        assertThat(registry.requests("/blobs/")).hasSize(2);
        assertThat(folder.resolve("one/logo.png")).hasBinaryContent(IMAGE);
        assertThat(folder.resolve("two/logo.png")).hasBinaryContent(IMAGE);
    }

    @Test
    void leavesFilesThatAreAlreadyRightAlone() throws IOException {
        publish();
        try (var client = client()) {
            client.pull(KIT, folder.resolve("out"));
            var before = Files.getLastModifiedTime(folder.resolve("out/logo.png"));
            Files.delete(folder.resolve("out/skills/a/SKILL.md"));

            client.pull(KIT, folder.resolve("out"));

            assertThat(folder.resolve("out/skills/a/SKILL.md")).hasBinaryContent(SKILL);
            assertThat(Files.getLastModifiedTime(folder.resolve("out/logo.png")))
                    .isEqualTo(before);
        }
    }

    @Test
    void asksByDigestWhereTheReferenceHasOne() {
        var digest = publish();
        try (var client = client()) {
            var resolution = client.resolve(Reference.parse("acme/kit@" + digest));

            assertThat(resolution.version()).isEqualTo("1.0.0");
            assertThat(registry.requests(":resolve").getFirst().query()).isEqualTo("digest=" + digest);
        }
    }
}
