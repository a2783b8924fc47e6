package dev.sheaf.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.cpu.CpuAccount;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.work.Worker;
import dev.sheaf.model.wire.queue.JobRoute;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.event.EventFeeds;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.FeedCursors;
import dev.sheaf.server.queue.route.EventRouter;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Routes on a node whose processors have too much to do.
@Timeout(60)
class BusyRouterTest {
    private static final String ORGANIZATION = "/v1/organizations/default";
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private Path file = Path.of("");
    private String route = "";
    private UUID organization = new UUID(0, 0);

    /// A route that has made its job, and is then put back to where its event is still to come.
    @BeforeEach
    void prepare() {
        try (var app = TestApp.start(folder)) {
            file = app.dataDir().resolve("sheaf.db");
            var queue = app.post(ORGANIZATION + "/queues", app.admin(), "{\"name\": \"Routed\"}")
                    .as(Queue.class);
            route = app.post(ORGANIZATION + "/routes", app.admin(), """
                            {"name": "Lint", "eventTypes": ["version.published"], "inputTemplate": "1",
                             "queueId": "%s"}""".formatted(
                                    queue.id().toString()))
                    .as(JobRoute.class)
                    .id()
                    .toString();
            app.push("routed/kit", "1.0.0", "private", "text");
            Eventually.within(LONG, () -> jobs(app.database()) == 1);
        }
        try (var database = open()) {
            organization = database.write(tx -> {
                tx.change("UPDATE job_route SET seq = 0");
                return tx.one("SELECT organization_id FROM job_route", UUID.class);
            });
        }
    }

    private Database open() {
        return Databases.sqlite(file, InstantSource.system());
    }

    private static long jobs(Database database) {
        return count(database, "job");
    }

    private static long count(Database database, String of) {
        return database.read(tx -> tx.number("SELECT count(*) FROM " + of));
    }

    private @Nullable Instant run(Database database, CpuPool cpu) {
        var feeds = new EventFeeds(database, new FeedCursors(MasterSecret.parse(MasterSecret.generate())));
        var router = new EventRouter(database, feeds, new EventWire(id -> "default"), cpu);
        var worker = new Worker(database, "route-test", 1, router);
        var claim = database.write(tx -> worker.claim(tx, route, organization.toString()));
        return router.run(claim.orElseThrow());
    }

    /// Until `end`, one more piece of work of that caller would be refused.
    private static void fill(CpuPool cpu, Object caller, CountDownLatch end) {
        var begun = new CountDownLatch(1);
        Runnable work = () -> CpuPool.onAccountOf(
                () -> caller,
                () -> cpu.offer(LONG, budget -> {
                    begun.countDown();
                    await(end);
                    return caller;
                }));
        Thread.startVirtualThread(work);
        await(begun);
        IntStream.range(0, CpuPool.LINE).forEach(i -> Thread.startVirtualThread(work));
        Eventually.within(LONG, () -> cpu.waiting() == CpuPool.LINE);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void workOfOthersKeepsNoRouteFromItsJobs() {
        var end = new CountDownLatch(1);
        try (var database = open();
                var cpu = new CpuPool(2)) {
            fill(cpu, CpuPool.class, end); // as all do that tell of no caller

            assertThat(run(database, cpu)).isNull();
            assertThat(jobs(database)).isEqualTo(2);
        } finally {
            end.countDown();
        }
    }

    @Test
    void aRouteThatIsRefusedForLoadGoesOnSoonAndHasNotFailed() {
        var end = new CountDownLatch(1);
        try (var database = open();
                var cpu = new CpuPool(2)) {
            fill(cpu, new CpuAccount(organization, EventRouter.class), end);

            var again = run(database, cpu);

            assertThat(again)
                    .isBetween(Instant.now().minusSeconds(20), Instant.now().plusSeconds(2));
            assertThat(count(database, "job_route WHERE last_error IS NOT NULL"))
                    .isZero();
            assertThat(jobs(database)).isEqualTo(1);
        } finally {
            end.countDown();
        }
    }
}
