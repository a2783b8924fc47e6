package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.sheaf.client.Cache;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Processes that share a cache: many at once, and some that are killed at work.
@Timeout(300) // seconds, for eight JVMs that start at once on two cores with other work
@Tag("slow")
class ManyPullsTest {
    private static final int PROCESSES = 8;
    private static final int PIECE = 16 << 10;

    @TempDir
    private Path folder;

    private final TinyRegistry registry = TinyRegistry.start();
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void stop() {
        started.forEach(Process::destroyForcibly);
        registry.close();
    }

    /// Starts `sheaf pull` into a folder of that name.
    private Process pull(String reference, String target) throws IOException {
        var command = ChildProcess.sheaf("-XX:+UseSerialGC", "-Xmx64m", "-Xlog:disable");
        command.addAll(List.of("pull", reference, "-o", folder.resolve(target).toString()));
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(target + ".log").toFile());
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of(
                        "HOME", folder.resolve("home").toString(),
                        "SHEAF_URL", registry.url().toString(),
                        "SHEAF_CACHE_DIR", folder.resolve("cache").toString()));
        var process = builder.start();
        started.add(process);
        return process;
    }

    private void assertSucceeds(Process process, String target) throws Exception {
        assertThat(process.waitFor(250, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve(target + ".log")))
                .isZero();
    }

    private Map<String, byte[]> publish(String reference, int files, int size) {
        var content = new TreeMap<String, byte[]>();
        for (int i = 0; i < files; i++) {
            byte[] bytes = new byte[size];
            new Random(i + size).nextBytes(bytes);
            content.put("f" + i + ".bin", bytes);
        }
        registry.content.publish(reference, content);
        return content;
    }

    private void assertHolds(String target, Map<String, byte[]> content) {
        content.forEach((name, bytes) ->
                assertThat(folder.resolve(target).resolve(name)).hasBinaryContent(bytes));
    }

    private void assertCacheIsSound(int entries) {
        var checked = Cache.at(folder.resolve("cache")).verify();
        assertThat(checked.removed()).isEmpty();
        assertThat(checked.kept()).isEqualTo(entries);
    }

    /// Half of them pull a bundle blob by blob, half one that comes in one answer.
    @Test
    void manyAtOnceFetchEachByteOnce() throws Exception {
        registry.answerPull();
        var large = publish("acme/large:1.0.0", 5, 400_000);
        var small = publish("acme/small:1.0.0", 5, 1_000);

        for (int i = 0; i < PROCESSES; i++) {
            pull(i % 2 == 0 ? "acme/large:1.0.0" : "acme/small:1.0.0", "out" + i);
        }
        for (int i = 0; i < PROCESSES; i++) {
            assertSucceeds(started.get(i), "out" + i);
        }

        for (int i = 0; i < PROCESSES; i++) {
            assertHolds("out" + i, i % 2 == 0 ? large : small);
        }
        assertThat(registry.contentBytes()).isEqualTo(5 * 400_000 + 5 * 1_000);
        assertThat(registry.requests(":pull")).hasSize(1);
        assertCacheIsSound(12);
    }

    /// Each run may have so many bytes, is killed when it has them and waits for more, and leaves them to the next.
    @Test
    void whatIsKilledGoesOnWhereItStopped() throws Exception {
        var content = publish("acme/kit:1.0.0", 4, 400_000);
        long sent = 0;
        for (int run = 0; run < 3; run++) {
            var ration = new Ration(300_000);
            registry.replace("/blobs/", ration::answer);

            var process = pull("acme/kit:1.0.0", "killed" + run);
            awaitArrived(300_000L * (run + 1));
            process.destroyForcibly().waitFor(); // SIGKILL
            ration.over.countDown();
            sent += ration.sent.get();

            assertThat(process.exitValue()).isNotZero();
            assertThat(folder.resolve("killed" + run)).doesNotExist();
            assertCacheIsSound(0);
        }
        var ration = new Ration(Long.MAX_VALUE);
        registry.replace("/blobs/", ration::answer);

        assertSucceeds(pull("acme/kit:1.0.0", "whole"), "whole");

        assertHolds("whole", content);
        assertCacheIsSound(5);
        // What was on its way when a process died is lost: at most a piece more for each of four connections.
        assertThat(sent + ration.sent.get()).isBetween(1_600_000L, 1_600_000L + 3 * 4 * PIECE);
        assertThat(folder.resolve("cache/partial")).isEmptyDirectory();
    }

    private void awaitArrived(long bytes) throws Exception {
        Path partial = Files.createDirectories(folder.resolve("cache/partial"));
        try (var watch = partial.getFileSystem().newWatchService()) {
            partial.register(watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
            while (sizeOf(partial) < bytes) {
                var key = watch.poll(100, TimeUnit.SECONDS);
                assertThat(key).as("more than %d bytes arrive", sizeOf(partial)).isNotNull();
                key.pollEvents();
                key.reset();
            }
        }
    }

    private static long sizeOf(Path directory) throws IOException {
        long size = 0;
        try (var files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                size += Files.size(file);
            }
        }
        return size;
    }

    /// Answers blobs until so many bytes are sent, and then nothing until it is over.
    private final class Ration {
        private final long most;
        private final AtomicLong sent = new AtomicLong();
        private final CountDownLatch over = new CountDownLatch(1);

        Ration(long most) {
            this.most = most;
        }

        void answer(HttpExchange exchange) throws IOException {
            String path = exchange.getRequestURI().getPath();
            byte[] blob = Objects.requireNonNull(registry.content.blobs.get(path.substring(path.lastIndexOf('/') + 1)));
            String range = exchange.getRequestHeaders().getFirst("Range");
            int from = range == null ? 0 : Integer.parseInt(range.substring("bytes=".length(), range.length() - 1));
            exchange.getResponseHeaders()
                    .set("Content-Range", "bytes " + from + "-" + (blob.length - 1) + "/" + blob.length);
            exchange.sendResponseHeaders(range == null ? 200 : 206, blob.length - from);
            var body = exchange.getResponseBody();
            for (int at = from; at < blob.length; at += PIECE) {
                if (sent.get() >= most) {
                    await();
                    return;
                }
                byte[] piece = Arrays.copyOfRange(blob, at, Math.min(blob.length, at + PIECE));
                sent.addAndGet(piece.length);
                body.write(piece);
                body.flush();
            }
        }

        private void await() throws IOException {
            try {
                over.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    @Test
    void oneThatIsKilledWhileItWaitsForAnotherHoldsNobodyUp() throws Exception {
        var content = publish("acme/kit:1.0.0", 2, 400_000);
        String blob =
                Digest.sha256(Objects.requireNonNull(content.get("f0.bin"))).toString();
        var arrived = new CountDownLatch(1);
        var over = new CountDownLatch(1);
        registry.replaceOnce(blob, exchange -> {
            arrived.countDown();
            try {
                over.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        });
        var holder = pull("acme/kit:1.0.0", "holder");
        assertThat(arrived.await(100, TimeUnit.SECONDS)).isTrue();
        var waiting = pull("acme/kit:1.0.0", "waiting");

        holder.destroyForcibly().waitFor();

        assertSucceeds(waiting, "waiting");
        assertHolds("waiting", content);
        over.countDown();
    }
}
