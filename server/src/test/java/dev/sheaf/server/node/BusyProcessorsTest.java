package dev.sheaf.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Three nodes on a machine whose processors are all busy with something else. `-Dsheaf.busySeconds=600` sets the time.
@Tag("measure")
@Timeout(1_200)
class BusyProcessorsTest {
    private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("sheaf.busySeconds", 60));

    @Test
    void noNodeDistrustsItsCaches(@TempDir Path folder) throws Exception {
        var ends = new AtomicBoolean();
        var busy = new ArrayList<Thread>();
        long looks = 0;
        long distrusted = 0;
        long unready = 0;
        try (var first = TestApp.start(Stack.POSTGRES_AND_BUCKET, folder.resolve("0"));
                var second = first.another(folder.resolve("1"));
                var third = first.another(folder.resolve("2"))) {
            for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
                busy.add(Thread.ofPlatform().daemon().start(() -> {
                    while (!ends.get()) {
                        Thread.onSpinWait();
                    }
                }));
            }
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < TIME.toNanos()) {
                for (var node : List.of(first, second, third)) {
                    looks++;
                    distrusted += node.database().isCurrent() ? 0 : 1;
                }
                unready += first.get("/health/ready", null).status() == 200 ? 0 : 1;
            }
        } finally {
            ends.set(true);
        }
        System.out.printf(
                "%d looks in %d s: %d times without trust, %d times not ready%n",
                looks, TIME.toSeconds(), distrusted, unready);
        assertThat(distrusted).isZero();
        assertThat(unready).isZero();
    }
}
