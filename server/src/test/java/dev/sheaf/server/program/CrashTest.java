package dev.sheaf.server.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.PushOptions;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import dev.sheaf.server.testing.program.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The process is killed in the middle of twenty pushes, and started again on what it left.
@Tag("slow")
class CrashTest {
    private static final int PUSHES = 20;

    @TempDir
    private Path folder;

    /// A push and what it came to: the digest where it was acknowledged.
    private record Attempt(Reference reference, Path content, boolean throughOci) {}

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 12})
    void whatWasAcknowledgedIsThereAndTheRestLeavesNoTrace(int acknowledgedBeforeTheKill) throws Exception {
        var attempts = attempts();
        var acknowledged = new ConcurrentHashMap<Reference, Digest>();
        var data = folder.resolve("data");
        try (var server = ServerProcess.start(data)) {
            pushAllAndKill(server, attempts, acknowledged, acknowledgedBeforeTheKill);
        }

        try (var server = ServerProcess.start(data);
                var reader = client(server, "reader")) {
            assertThat(acknowledged.size()).isGreaterThanOrEqualTo(acknowledgedBeforeTheKill);
            for (Attempt attempt : attempts) {
                var digest = acknowledged.get(attempt.reference());
                if (digest != null) {
                    assertThat(reader.resolve(attempt.reference()).ociDigest()).isEqualTo(digest.toString());
                }
                wholeOrAbsent(reader, attempt, digest != null);
            }
            pushesAgain(server, attempts, acknowledged);
        }
    }

    private List<Attempt> attempts() throws IOException {
        long seed = 20;
        var random = new Random(seed);
        var attempts = new ArrayList<Attempt>();
        for (int i = 0; i < PUSHES; i++) {
            Path content = Files.createDirectories(folder.resolve("content-" + i));
            var large = new byte[200_000];
            random.nextBytes(large);
            Files.write(content.resolve("large.bin"), large);
            Files.writeString(content.resolve("SKILL.md"), "# Number " + i);
            attempts.add(new Attempt(Reference.parse("crash/kit-" + i % 4 + ":1." + i + ".0"), content, i % 2 == 1));
        }
        return attempts;
    }

    private void pushAllAndKill(
            ServerProcess server, List<Attempt> attempts, Map<Reference, Digest> acknowledged, int before)
            throws InterruptedException, IOException {
        var done = new Semaphore(0);
        var refused = new ConcurrentLinkedQueue<SheafException>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                var client = client(server, "writer")) {
            for (Attempt attempt : attempts) {
                threads.submit(() -> {
                    try {
                        var options = PushOptions.DEFAULT.throughOci(attempt.throughOci());
                        var pushed = client.push(attempt.content(), attempt.reference(), options);
                        acknowledged.put(attempt.reference(), pushed.manifestDigest());
                    } catch (SheafException.Network e) {
                        // the server is gone: this push was not acknowledged
                    } catch (SheafException e) {
                        refused.add(e);
                    } finally {
                        done.release();
                    }
                });
            }
            done.acquire(before);
            server.kill();
        }
        assertThat(refused).isEmpty();
    }

    private SheafClient client(ServerProcess server, String cache) throws IOException {
        return SheafClient.of(RegistryUrl.parse(server.url()))
                .key(server.adminKey())
                .cache(folder.resolve(cache))
                .open();
    }

    /// A push that was not acknowledged may have happened, and then wholly; half of it is never seen.
    private void wholeOrAbsent(SheafClient reader, Attempt attempt, boolean mustBeThere) throws IOException {
        Path target = folder.resolve("pulled").resolve(attempt.content().getFileName());
        try {
            reader.pull(attempt.reference(), target);
        } catch (SheafException.NotFound e) {
            assertThat(mustBeThere)
                    .as(attempt.reference() + " was acknowledged")
                    .isFalse();
            return;
        }
        for (String file : List.of("large.bin", "SKILL.md")) {
            assertThat(target.resolve(file))
                    .hasSameBinaryContentAs(attempt.content().resolve(file));
        }
    }

    /// Every push can be repeated, whatever the first one came to.
    private void pushesAgain(ServerProcess server, List<Attempt> attempts, Map<Reference, Digest> acknowledged)
            throws IOException {
        try (var client = client(server, "again")) {
            for (Attempt attempt : attempts) {
                var digest = client.push(attempt.content(), attempt.reference(), PushOptions.DEFAULT)
                        .manifestDigest();
                assertThat(acknowledged.getOrDefault(attempt.reference(), digest))
                        .isEqualTo(digest);
            }
        }
    }
}
