package dev.sheaf.server.queue.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Sixteen workers, of whom some die, do jobs while nodes end without waiting for anybody and start again, and the
/// clock leaps. `make queue-crash` does the same with processes that are killed.
@Timeout(240)
@Tag("slow")
class QueueCrashTest {
    private static final int JOBS = Integer.getInteger("sheaf.queue.jobs", 400);
    private static final int RARELY = 60;
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Duration LEAP = Duration.ofSeconds(4);
    private static final long PAUSE = Duration.ofMillis(300).toNanos();

    @TempDir
    private Path folder;

    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    private final InstantSource clock = () -> Instant.now().plus(ahead.get());
    private final Random random = new Random();

    @ParameterizedTest
    @CsvSource({"SQLITE, 1", "POSTGRES, 3"})
    void everyJobIsDoneOnce(Stack stack, int count) throws Exception {
        var master = Map.of("master-key", MasterSecret.generate());
        var first = TestApp.start(stack, folder.resolve("0"), clock, master);
        var apps = new TestApp[count];
        apps[0] = first;
        try (var nodes = new CrashingNodes(count)) {
            nodes.up(0, first.url());
            for (int i = 1; i < count; i++) {
                apps[i] = first.another(folder.resolve("" + i), clock);
                nodes.up(i, apps[i].url());
            }
            var scenario = new QueueCrashScenario(nodes, first.admin(), clock, JOBS);
            scenario.prepare();
            var isOver = new AtomicBoolean();
            var crashes = Thread.ofPlatform().start(() -> crash(nodes, apps, isOver));
            long end = System.nanoTime() + LIMIT.toNanos();
            try {
                scenario.run(RARELY, () -> System.nanoTime() > end);
            } finally {
                isOver.set(true);
                crashes.join();
            }
            System.out.println(stack + " " + scenario.held.counts());
            assertThat(scenario.held.violations()).isEmpty();
            assertThat(scenario.held.counted("workers that died while they ran"))
                    .isPositive();
        } finally {
            for (var app : apps) {
                app.close();
            }
        }
    }

    private void crash(CrashingNodes nodes, TestApp[] apps, AtomicBoolean isOver) {
        while (!isOver.get()) {
            LockSupport.parkNanos(PAUSE);
            ahead.updateAndGet(by -> by.plus(LEAP));
            if (random.nextInt(3) == 0) {
                int index = random.nextInt(apps.length);
                nodes.down(index);
                apps[index].stop(Duration.ZERO);
                apps[index] = apps[index].again(clock);
                nodes.up(index, apps[index].url());
            }
        }
    }
}
