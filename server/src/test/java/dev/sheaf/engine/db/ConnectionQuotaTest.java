package dev.sheaf.engine.db;

import static dev.sheaf.engine.db.OrganizationTable.insert;
import static dev.sheaf.engine.db.OrganizationTable.name;
import static dev.sheaf.engine.db.OrganizationTable.rename;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.cpu.CpuAccount;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Throttle;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One organization, or many strangers, have slow transactions on PostgreSQL, with a pool of eight connections.
@Timeout(60)
class ConnectionQuotaTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Database database = new PostgresDatabase(Databases.postgres(), InstantSource.system());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void close() {
        release.countDown();
        threads.close();
        database.close();
    }

    private <T> Future<T> as(Object group, Supplier<T> work) {
        return threads.submit(() -> CpuPool.onAccountOf(() -> group, work));
    }

    private List<Future<Integer>> hold(Object group, int number, CountDownLatch until) {
        var held = new ArrayList<Future<Integer>>();
        for (int i = 0; i < number; i++) {
            held.add(as(
                    group,
                    () -> database.read(tx -> {
                        await(until);
                        return 1;
                    })));
        }
        return held;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void slowTransactionsOfOneOrganizationLeaveConnectionsToOthers() throws Exception {
        database.write(tx -> insert(tx, "row"));
        var slow = hold("a", 20, release);
        Eventually.within(LIMIT, () -> database.busy() == 6 && database.waiting() == 14);

        for (int i = 0; i < 50; i++) {
            String name = "name-" + i;
            as(
                            "b",
                            () -> database.write(tx -> {
                                rename(tx, "row", name);
                                return 1;
                            }))
                    .get();
            assertThat(as("b", () -> database.<String>read(tx -> name(tx, "row")))
                            .get())
                    .isEqualTo(name);
        }

        assertThat(slow).noneMatch(Future::isDone);
        release.countDown();
        for (var one : slow) {
            assertThat(one.get()).isOne();
        }
    }

    @Test
    void whoWaitsTooLongForTheShareOfItsOrganizationIsRefused() {
        var slow = hold("a", 6, release);
        Eventually.within(LIMIT, () -> database.busy() == 6);

        assertRefused("a", "uses its share of the connections");

        assertThat(slow).noneMatch(Future::isDone);
    }

    @Test
    void whoWaitsTooLongWhileSeveralUseAllConnectionsIsRefused() {
        hold("a", 6, release);
        hold("b", 2, release);
        Eventually.within(LIMIT, () -> database.busy() == 8);

        assertRefused("c", "all connections to the database are in use");
    }

    private void assertRefused(String organization, String why) {
        assertThatThrownBy(() -> CpuPool.onAccountOf(() -> organization, () -> database.read(tx -> 1)))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem())
                                .isInstanceOf(Problem.Unavailable.class)
                                .returns(Throttle.TIME, Problem::throttle))
                .hasMessageContaining(why);
    }

    @Test
    void manyStrangersTogetherLeaveConnectionsToOrganizations() throws Exception {
        database.write(tx -> insert(tx, "row"));
        var slow = new ArrayList<Future<Integer>>();
        for (int address = 0; address < 10; address++) {
            slow.addAll(hold(new CpuAccount.Stranger(address), 2, release));
        }
        Eventually.within(LIMIT, () -> database.busy() == 4 && database.waiting() == 16);

        var together = new CountDownLatch(2);
        var both = List.of(meeting("a", together), meeting("b", together));

        for (var one : both) {
            assertThat(one.get())
                    .as("each has a connection while the other has one")
                    .isOne();
        }
        assertThat(slow).noneMatch(Future::isDone);
        release.countDown();
        for (var one : slow) {
            assertThat(one.get()).isOne();
        }
    }

    @Test
    void manyWrongCredentialsTogetherLeaveConnectionsToOrganizations() throws Exception {
        var slow = new ArrayList<Future<Integer>>();
        for (int i = 0; i < 10; i++) {
            Object address = new CpuAccount.Stranger(i);
            slow.add(threads.submit(() -> CpuPool.onAccountOf(
                    () -> address,
                    () -> CpuAccount.identifying(() -> database.read(tx -> {
                        await(release);
                        return 1;
                    })))));
        }
        Eventually.within(LIMIT, () -> database.busy() == 2 && database.waiting() == 8);

        var together = new CountDownLatch(2);
        for (var one : List.of(meeting("a", together), meeting("b", together))) {
            assertThat(one.get()).isOne();
        }

        assertThat(slow).noneMatch(Future::isDone);
        release.countDown();
        for (var one : slow) {
            assertThat(one.get()).isOne();
        }
    }

    /// Who signs in waits neither for strangers nor for others who sign in slowly.
    @Test
    void aCredentialIsCheckedWhileStrangersHoldTheirPart() throws Exception {
        var slow = new ArrayList<Future<Integer>>();
        for (int address = 0; address < 10; address++) {
            slow.addAll(hold(new CpuAccount.Stranger(address), 1, release));
        }
        Eventually.within(LIMIT, () -> database.busy() == 4 && database.waiting() == 6);

        assertThat(as(new CpuAccount.Stranger(11), () -> CpuAccount.identifying(() -> database.read(tx -> 1)))
                        .get())
                .isOne();

        assertThat(slow).noneMatch(Future::isDone);
        release.countDown();
        for (var one : slow) {
            assertThat(one.get()).isOne();
        }
    }

    private Future<Integer> meeting(String organization, CountDownLatch together) {
        return as(
                organization,
                () -> database.read(tx -> {
                    together.countDown();
                    await(together);
                    return 1;
                }));
    }

    @Test
    @Tag("measure")
    void othersAreAsFastAsAlone() throws Exception {
        database.write(tx -> insert(tx, "row"));
        work("b", 300);
        long[] alone = work("b", 500);
        var ends = new AtomicBoolean();
        var slow = new ArrayList<Future<?>>();
        for (int i = 0; i < 64; i++) {
            slow.add(as("a", () -> {
                while (!ends.get()) {
                    database.read(tx -> tx.list("SELECT 1 FROM pg_sleep(0.2)", Integer.class));
                }
                return 1;
            }));
        }
        Eventually.within(LIMIT, () -> database.waiting() > 50);
        long[] beside = work("b", 500);
        ends.set(true);
        for (var one : slow) {
            one.get();
        }

        System.out.println("a read and a write of another organization, microseconds: alone " + shown(alone)
                + ", beside 64 slow readers " + shown(beside));
        assertThat(beside[beside.length * 99 / 100]).isLessThan(50_000_000);
    }

    private static String shown(long[] nanos) {
        return "p50 " + nanos[nanos.length / 2] / 1_000 + " p99 " + nanos[nanos.length * 99 / 100] / 1_000;
    }

    private long[] work(String organization, int rounds) throws Exception {
        return as(organization, () -> {
                    var times = new long[rounds];
                    for (int i = 0; i < rounds; i++) {
                        String name = "name-" + i;
                        long begin = System.nanoTime();
                        database.<String>read(tx -> name(tx, "row"));
                        database.write(tx -> {
                            rename(tx, "row", name);
                            return 1;
                        });
                        times[i] = System.nanoTime() - begin;
                    }
                    Arrays.sort(times);
                    return times;
                })
                .get();
    }
}
