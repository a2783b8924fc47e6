package dev.sheaf.server.queue.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.queue.schedule.Schedules;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class JobClockTest {
    private static final UUID KEY = UUID.randomUUID();
    private static final String EVERY_MINUTE = "{\"cron\": \"* * * * *\"}";

    @TempDir
    private Path folder;

    private final CountDownLatch looks = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger ends = new AtomicInteger();

    private final JobClock.Ticks slow = new JobClock.Ticks() {
        @Override
        public Ticked tick(int most) {
            looks.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            ends.incrementAndGet();
            return Ticked.ALL;
        }

        @Override
        public @Nullable Instant next(Tx tx) {
            return looks.getCount() == 1 ? Instant.EPOCH : null;
        }
    };

    /// Or a node that stops would close the database while it is asked, and log that it cannot be reached.
    @Test
    void whoStopsItCanWaitForItsLastLook() throws Exception {
        try (var database = Databases.sqlite(folder.resolve("sheaf.db"), new SettableClock())) {
            var clock = new JobClock(database, slow);
            clock.begin();
            looks.await();

            clock.stop();

            assertThat(clock.awaitEnd(Duration.ofMillis(1))).isFalse();
            goOn.countDown();
            assertThat(clock.awaitEnd(Duration.ofSeconds(30))).isTrue();
            assertThat(ends).hasValue(1);
        }
    }

    /// Calls `first` when schedules are due for the first time and more are, and `then` when they have their next
    /// turn.
    private static JobClock.Ticks twice(Runnable first, Runnable then) {
        return new JobClock.Ticks() {
            private int turns;

            @Override
            public Ticked tick(int most) {
                assertThat(most).isBetween(1, 100);
                (turns++ == 0 ? first : then).run();
                return turns == 1 ? Ticked.MORE : Ticked.ALL;
            }

            @Override
            public @Nullable Instant next(Tx tx) {
                return turns < 2 ? Instant.EPOCH : null;
            }
        };
    }

    /// Or the schedules of one organization would hold up the jobs of all others.
    @Test
    void jobsHaveATurnBetweenSchedulesHoweverManyThereAre() {
        var time = new SettableClock();
        try (var database = Databases.sqlite(folder.resolve("sheaf.db"), time);
                var cpu = new CpuPool(2)) {
            var its = new QueueFixture(database, QueueFixture.organization(database), folder, cpu);
            its.enqueue(KEY, its.queue(KEY, "{\"name\": \"Other\"}"), "{\"delaySeconds\": 1}");
            var seen = new ArrayList<String>();
            Runnable look = () -> seen.add(database.read(tx -> tx.one("SELECT status FROM job", String.class)));

            new JobClock(
                            database,
                            twice(
                                    () -> {
                                        look.run();
                                        time.advance(Duration.ofSeconds(2));
                                    },
                                    look))
                    .doDue();

            assertThat(seen).containsExactly("scheduled", "queued");
        }
    }

    @Test
    void schedulesAreMadeSoManyAtATimeAndAllInTheEnd() {
        var time = new SettableClock();
        try (var database = Databases.sqlite(folder.resolve("sheaf.db"), time);
                var cpu = new CpuPool(2)) {
            var its = new QueueFixture(database, QueueFixture.organization(database), folder, cpu);
            var author = its.key();
            var queue = its.queue(KEY, "{\"name\": \"Often\"}");
            var schedules = new Schedules(database, cpu);
            for (int i = 0; i < 3; i++) {
                schedules.create(its.origin(author), queue, QueueFixture.fields(EVERY_MINUTE));
            }
            time.advance(Duration.ofMinutes(1));

            assertThat(schedules.tick(2)).isEqualTo(JobClock.Ticks.Ticked.MORE);
            assertThat(jobs(database)).isEqualTo(2);
            assertThat(schedules.tick(2)).isEqualTo(JobClock.Ticks.Ticked.ALL);
            assertThat(jobs(database)).isEqualTo(3);
        }
    }

    private static long jobs(Database database) {
        return database.read(tx -> tx.number("SELECT count(*) FROM job"));
    }

    /// What takes the node's processors makes no schedule late: its pool may refuse whatever is asked of it.
    @Test
    void schedulesWaitForNoProcessor() {
        var time = new SettableClock();
        var cpu = new CpuPool(2);
        try (var database = Databases.sqlite(folder.resolve("sheaf.db"), time)) {
            var its = new QueueFixture(database, QueueFixture.organization(database), folder, cpu);
            var author = its.key();
            var schedules = new Schedules(database, cpu);
            schedules.create(
                    its.origin(author), its.queue(KEY, "{\"name\": \"Often\"}"), QueueFixture.fields(EVERY_MINUTE));
            time.advance(Duration.ofMinutes(1));
            cpu.close(); // refuses all

            assertThat(new JobClock(database, schedules).doDue()).isAfter(database.now());

            assertThat(jobs(database)).isEqualTo(1);
        }
    }

    @Test
    void aScheduleThatCannotBeLookedAtStaysDueAndIsLookedAtSoon() {
        var time = new SettableClock();
        try (var database = Databases.sqlite(folder.resolve("sheaf.db"), time);
                var cpu = new CpuPool(2)) {
            var its = new QueueFixture(database, QueueFixture.organization(database), folder, cpu);
            var author = its.key();
            var queue = its.queue(KEY, "{\"name\": \"Often\"}");
            var schedules = new Schedules(database, cpu);
            var broken = schedules.create(its.origin(author), queue, QueueFixture.fields(EVERY_MINUTE));
            schedules.create(its.origin(author), queue, QueueFixture.fields(EVERY_MINUTE));
            database.write(tx -> tx.change("CREATE TRIGGER breaks BEFORE UPDATE ON schedule WHEN old.id = '"
                    + broken.id() + "' BEGIN SELECT RAISE(ABORT, 'broken'); END"));
            time.advance(Duration.ofMinutes(1));

            var again = new JobClock(database, schedules).doDue();

            assertThat(jobs(database)).isEqualTo(1);
            assertThat(again).isBetween(database.now(), database.now().plusSeconds(1));
        }
    }

    @Test
    void anOrganizationHasSoManySchedulesInAllItsQueues() {
        try (var database = Databases.sqlite(folder.resolve("sheaf.db"), new SettableClock());
                var cpu = new CpuPool(2)) {
            var its = new QueueFixture(database, QueueFixture.organization(database), folder, cpu);
            var author = its.key();
            var full = its.queue(KEY, "{\"name\": \"Full\"}");
            var other = its.queue(KEY, "{\"name\": \"Other\"}");
            var schedules = new Schedules(database, cpu);
            schedules.create(its.origin(author), full, QueueFixture.fields(EVERY_MINUTE));
            database.write(tx -> tx.change("""
                    WITH RECURSIVE more(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM more WHERE i < 998)
                    INSERT INTO schedule (id, queue_id, name, cron, time_zone, job_type, enabled, created_at, created_by)
                    SELECT 'more-' || i, queue_id, name, cron, time_zone, job_type, 0, created_at, created_by
                    FROM schedule, more
                    """));
            schedules.create(its.origin(author), other, QueueFixture.fields(EVERY_MINUTE)); // the last one

            assertThatThrownBy(() -> schedules.create(its.origin(author), other, QueueFixture.fields(EVERY_MINUTE)))
                    .isInstanceOf(ProblemException.class)
                    .hasMessageContaining("the organization has 1000 schedules");
        }
    }
}
