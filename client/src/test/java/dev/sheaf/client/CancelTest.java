package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Reference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Cancelled work, and fetches of single assets.
@Timeout(60)
class CancelTest {
    private static final Reference KIT = Reference.parse("acme/kit:1.0.0");

    @TempDir
    Path folder;

    private final TinyRegistry registry = TinyRegistry.start();
    private final byte[] large = new byte[300_000];
    private final CountDownLatch half = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    @BeforeEach
    void publish() {
        new Random(7).nextBytes(large);
        registry.content.publish("acme/kit:1.0.0", Map.of("large.bin", large, "small.txt", new byte[10]));
    }

    @AfterEach
    void stop() {
        end.countDown();
        registry.close();
    }

    private SheafClient client() {
        return SheafClient.of(registry.url()).cache(folder.resolve("cache")).open();
    }

    /// So that a caller that stops it can report what is left.
    @Test
    void tellsWhenItChangesFilesAndWhenTheyAreInPlace() throws IOException {
        Path out = folder.resolve("out");
        var steps = new ArrayList<Progress.Step>();
        var before = new ArrayList<Boolean>();
        var listener = new Progress() {
            @Override
            public void step(Step step) {
                steps.add(step);
                before.add(Files.exists(out.resolve("small.txt")));
            }
        };
        try (var client = SheafClient.of(registry.url())
                .cache(folder.resolve("cache"))
                .progress(listener)
                .open()) {
            client.pull(KIT, out);
            assertThat(steps).containsExactly(Progress.Step.CHANGING, Progress.Step.CHANGED);
            assertThat(before).containsExactly(false, true);

            client.pull(KIT, out);
            assertThat(steps).hasSize(3).last().isEqualTo(Progress.Step.CHANGED); // nothing to change
        }
    }

    /// Stops the first response halfway until the test ends.
    private void stopHalfway() {
        registry.replaceOnce(Digest.sha256(large).toString(), exchange -> {
            exchange.sendResponseHeaders(200, large.length);
            exchange.getResponseBody().write(large, 0, 150_000);
            exchange.getResponseBody().flush();
            half.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void assertNothingHalf() throws IOException {
        assertThat(folder.resolve("out")).doesNotExist();
        Path blobs = folder.resolve("cache/blobs");
        if (Files.exists(blobs)) {
            assertThat(PullTest.contentOf(blobs)).isEmpty();
        }
    }

    @Test
    void aPullIsCancelledInTheMiddleOfADownload() throws Exception {
        stopHalfway();
        try (var client = client()) {
            var running = client.start(registry -> registry.pull(KIT, folder.resolve("out")));
            half.await();

            running.cancel();

            assertThat(running.isDone()).isTrue();
            assertThatThrownBy(running::await).isInstanceOf(SheafException.Cancelled.class);
            assertNothingHalf();
            running.cancel(); // a second call does nothing

            client.pull(KIT, folder.resolve("out"));
            assertThat(folder.resolve("out/large.bin")).hasBinaryContent(large);
        }
    }

    @Test
    void whoWaitsMayBeInterrupted() throws Exception {
        stopHalfway();
        try (var client = client()) {
            var running = client.start(registry -> registry.pull(KIT, folder.resolve("out")));
            half.await();
            Thread.currentThread().interrupt();

            assertThatThrownBy(running::await).isInstanceOf(SheafException.Cancelled.class);

            assertThat(Thread.interrupted()).isTrue();
            assertThat(running.isDone()).isTrue();
            assertNothingHalf();
        }
    }

    @Test
    void workEndsWithItsValueOrItsFailure() {
        try (var client = client()) {
            assertThat(client.start(registry -> registry.resolve(KIT)).await().version())
                    .isEqualTo("1.0.0");
            var missing = client.start(registry -> registry.resolve(Reference.parse("acme/kit:9.0.0")));
            assertThatThrownBy(missing::await).isInstanceOf(SheafException.NotFound.class);
        }
    }

    @Test
    void oneAssetComesAlone() {
        try (var client = client()) {
            var asset = client.fetch(KIT, LogicalPath.parse("large.bin"));

            assertThat(asset.file()).hasBinaryContent(large).startsWith(folder.resolve("cache"));
            assertThat(registry.requests("/blobs/")).hasSize(1);
            assertThat(client.fetch(KIT, LogicalPath.parse("large.bin")).file()).isEqualTo(asset.file());
            assertThat(registry.requests("/blobs/")).hasSize(1);
            assertThatThrownBy(() -> client.fetch(KIT, LogicalPath.parse("other")))
                    .isInstanceOf(SheafException.NotFound.class)
                    .hasMessageContaining("has no asset other");
        }
    }

    @Test
    void oneWrongAssetIsNotKept() throws IOException {
        byte[] wrong = large.clone();
        wrong[9]++;
        registry.content.blobs.put(Digest.sha256(large).toString(), wrong);
        try (var client = client()) {
            assertThatThrownBy(() -> client.fetch(KIT, LogicalPath.parse("large.bin")))
                    .isInstanceOf(SheafException.Integrity.class);
            assertThat(client.fetch(KIT, LogicalPath.parse("small.txt")).asset().size())
                    .isEqualTo(10);
        }
        assertThat(PullTest.contentOf(folder.resolve("cache/blobs")).values())
                .as("the small one and the manifest")
                .hasSize(2)
                .doesNotContain(wrong);
    }
}
