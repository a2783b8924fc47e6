package dev.sheaf.server.maintenance.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.metrics.Metrics;
import dev.sheaf.model.wire.admin.NodeHealth;
import dev.sheaf.model.wire.admin.OperationsReport;
import dev.sheaf.server.maintenance.Tasks;
import dev.sheaf.server.testing.Databases;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperationsTest {
    private static final long GIB = 1L << 30;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final Metrics metrics = new Metrics("1.0.0", false);
    private final AtomicBoolean isDown = new AtomicBoolean();
    private final AtomicLong jobs = new AtomicLong();
    private final AtomicLong used = new AtomicLong(10 * GIB);
    private Database database;
    private Operations operations;

    @BeforeEach
    void start(@TempDir Path folder) {
        database = Databases.sqlite(folder.resolve("sheaf.db"), now::get);
        operations = new Operations(
                new Operations.Sources(
                        "1.0.0",
                        () -> new NodeHealth("up", List.of(), null),
                        () -> metrics.requests().totals(route -> true),
                        () -> 3,
                        List::of,
                        () -> asked(jobs.get()),
                        () -> asked(List.of(new OperationsReport.QueueDepth("acme", "work", jobs.get()))),
                        () -> asked(0L),
                        () -> asked(List.of()),
                        () -> new Operations.DiskSpace(100 * GIB, 100 * GIB - used.get(), GIB),
                        () -> asked(now.get()),
                        List.of()),
                new Tasks(database, List.of()),
                now::get);
    }

    @AfterEach
    void stop() {
        database.close();
    }

    private <T> T asked(T answer) {
        if (isDown.get()) {
            throw new IllegalStateException("the database does not answer");
        }
        return answer;
    }

    private void pass(Duration time) {
        now.updateAndGet(instant -> instant.plus(time));
        operations.sample();
    }

    @Test
    void aSampleHasTheRatesSinceTheOneBefore() {
        for (int i = 0; i < 120; i++) {
            metrics.requests().took("GET", "/v1/a", i < 30 ? 503 : 200, TimeUnit.MILLISECONDS.toNanos(7));
        }
        jobs.set(5);
        pass(Duration.ofMinutes(2));
        pass(Duration.ofMinutes(1));

        var samples = operations.samples(SampleSpan.HOUR);
        assertThat(samples).hasSize(2);
        assertThat(samples.getFirst().requests()).isEqualTo(60);
        assertThat(samples.getFirst().errors()).isEqualTo(15);
        assertThat(samples.getFirst().medianMs()).isBetween(5.0, 10.0);
        assertThat(samples.getFirst().jobsWaiting()).isEqualTo(5);
        assertThat(samples.getFirst().diskUsed()).isEqualTo(10 * GIB);
        assertThat(samples.getFirst().cpu()).isBetween(0.0, 1.0);
        assertThat(samples.getLast().requests()).isZero();
        assertThat(samples.getLast().medianMs()).as("no request, no duration").isNull();
        assertThat(samples.getLast().at()).isEqualTo(now.get());
    }

    @Test
    void whatTheDatabaseDoesNotAnswerIsMissing() {
        isDown.set(true);
        pass(Duration.ofMinutes(1));

        assertThat(operations.samples(SampleSpan.DAY).getFirst().jobsWaiting()).isNull();
        var report = operations.report(SampleSpan.DAY);
        assertThat(report.jobsWaiting()).isNull();
        assertThat(report.contentCheckedSince()).isNull();
        assertThat(report.queues()).isEmpty();
        assertThat(report.disk().free()).isEqualTo(90 * GIB);
    }

    @Test
    void aNodeSaysWhatItLastMeasured() {
        assertThat(operations.own().requests()).isNull();
        for (int i = 0; i < 120; i++) {
            metrics.requests().took("GET", "/v1/a", 200, TimeUnit.MILLISECONDS.toNanos(7));
        }
        pass(Duration.ofMinutes(1));

        var own = operations.report(SampleSpan.HOUR).running();

        assertThat(own).singleElement().satisfies(node -> {
            assertThat(node.program()).isEqualTo("1.0.0");
            assertThat(node.requests()).isEqualTo(120);
            assertThat(node.cpuPercent()).isBetween(0, 100);
            assertThat(node.heapUsed()).isPositive().isLessThanOrEqualTo(node.heapMax());
        });
        pass(Duration.ofMinutes(1));
        assertThat(operations.own().requests()).isZero();
    }

    @Test
    void theGrowthOfTheDiskIsKnownAfterSixHours() {
        pass(Duration.ofMinutes(1));
        assertThat(operations.report(SampleSpan.HOUR).disk().growthPerDay()).isNull();

        for (int i = 0; i < 24; i++) {
            used.addAndGet(GIB);
            pass(Duration.ofHours(1));
        }

        assertThat(operations.report(SampleSpan.MONTH).disk().growthPerDay()).isBetween(23 * GIB, 26 * GIB);
    }

    @Test
    void aClockThatIsSetBackMeasuresNothing() {
        now.updateAndGet(instant -> instant.minusSeconds(60));
        operations.sample();

        assertThat(operations.samples(SampleSpan.DAY)).isEmpty();
    }

    @Test
    void eachSpanHasItsOwnSteps() {
        for (int i = 0; i < 180; i++) {
            pass(Duration.ofMinutes(1));
        }

        assertThat(operations.samples(SampleSpan.HOUR)).hasSize(60).allMatch(sample -> sample.seconds() == 60);
        assertThat(operations.samples(SampleSpan.DAY)).hasSize(12).allMatch(sample -> sample.seconds() == 900);
        assertThat(operations.samples(SampleSpan.MONTH)).hasSize(3).allMatch(sample -> sample.seconds() == 3_600);
    }
}
