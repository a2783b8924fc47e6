package dev.sheaf.engine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.metrics.RecurringRuns;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// What an installation does by itself. Each task stands for that of a node.
@Timeout(120)
@ParameterizedClass
@EnumSource(Databases.Kind.class)
class RecurringTaskTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(50);

    @Parameter
    private Databases.Kind kind;

    private final SettableClock clock = new SettableClock();
    private final List<RecurringTask> nodes = new ArrayList<>();
    private Database database;

    @BeforeEach
    void open(@TempDir Path folder) {
        database = kind.open(folder, clock::instant);
    }

    @AfterEach
    void stop() {
        nodes.forEach(RecurringTask::stop);
        nodes.forEach(node -> assertThat(node.awaitEnd(LONG)).isTrue());
        database.close();
    }

    private RecurringTask node(Duration pause, Task task) {
        var node = new RecurringTask(database, "upkeep", pause, task, new RecurringRuns());
        nodes.add(node);
        node.begin();
        return node;
    }

    private Instant due() {
        return database.read(tx -> tx.one("SELECT due_at FROM work WHERE kind = 'upkeep'", Instant.class));
    }

    private boolean isFree() {
        return database.read(tx -> tx.has("SELECT 1 FROM work WHERE kind = 'upkeep' AND holder IS NULL"));
    }

    @Test
    void oneOfThreeNodesDoesItEachTimeThatItIsDue() {
        var runs = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            node(PAUSE, run -> runs.incrementAndGet());
        }

        for (int i = 1; i <= 5; i++) {
            int count = i;
            assertThat(runs).hasValue(count - 1);
            clock.advance(PAUSE);
            Eventually.within(LONG, () -> runs.get() == count && isFree());
            assertThat(due()).isEqualTo(clock.instant().plus(PAUSE));
        }
    }

    @Test
    void whatANodeLeavesUnfinishedAnotherGoesOnWith() throws InterruptedException {
        var begun = new CountDownLatch(1);
        var first = node(PAUSE, run -> {
            begun.countDown();
            while (true) {
                run.checkpoint();
                Thread.onSpinWait();
            }
        });
        clock.advance(PAUSE);
        begun.await();
        first.stop();
        assertThat(first.awaitEnd(LONG)).isTrue();
        assertThat(due()).isEqualTo(clock.instant());

        var done = new CountDownLatch(1);
        node(PAUSE, run -> done.countDown());

        done.await();
    }

    @Test
    void aShorterPauseCountsAtOnceAndALongerOneWaitsForNothing() {
        node(Duration.ofHours(6), run -> {});
        assertThat(due()).isEqualTo(clock.instant().plus(Duration.ofMinutes(15)));

        node(Duration.ofMinutes(5), run -> {});
        assertThat(due()).isEqualTo(clock.instant().plus(Duration.ofMinutes(5)));

        node(Duration.ofHours(6), run -> {});
        assertThat(due()).isEqualTo(clock.instant().plus(Duration.ofMinutes(5)));
    }

    @Test
    void withoutAPauseItNeverRuns() {
        node(Duration.ZERO, run -> {});

        long expected = database.read(tx -> tx.number("SELECT count(*) FROM work"));
        assertThat(expected).isZero();
    }
}
