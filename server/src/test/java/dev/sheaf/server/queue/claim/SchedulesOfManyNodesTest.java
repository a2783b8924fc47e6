package dev.sheaf.server.queue.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.PostgresDatabase;
import dev.sheaf.server.queue.schedule.Schedules;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.SettableClock;
import dev.sheaf.server.testing.Together;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Schedules that several nodes look at in the same moment.
class SchedulesOfManyNodesTest {
    @TempDir
    private Path folder;

    @Test
    void eachTickOfAScheduleMakesOneJobHoweverManyNodesLook() throws Exception {
        var time = new SettableClock();
        var settings = Databases.postgres();
        try (var one = new PostgresDatabase(settings, time);
                var two = new PostgresDatabase(settings, time);
                var three = new PostgresDatabase(settings, time);
                var cpu = new CpuPool(2)) {
            var its = new QueueFixture(one, QueueFixture.organization(one), folder, cpu);
            var author = its.key();
            var nodes = Stream.of(one, two, three)
                    .map(database -> new Schedules(database, cpu))
                    .toList();
            nodes.getFirst()
                    .create(
                            its.origin(author),
                            its.queue(UUID.randomUUID(), "{\"name\": \"Often\"}"),
                            QueueFixture.fields("{\"cron\": \"* * * * *\"}"));
            for (int tick = 1; tick <= 30; tick++) {
                time.advance(Duration.ofMinutes(1));

                Together.run(6, i -> () -> nodes.get(i % 3).tick(50));

                long jobs = two.read(tx -> tx.number("SELECT count(*) FROM job"));
                assertThat(jobs).isEqualTo(tick);
            }
        }
    }
}
