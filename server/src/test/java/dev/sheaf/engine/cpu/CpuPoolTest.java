package dev.sheaf.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Throttle;
import dev.sheaf.server.testing.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CpuPoolTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final CpuPool pool = new CpuPool(2);

    @AfterEach
    void close() {
        pool.close();
    }

    private int count(String caller) {
        return as(caller, budget -> 1);
    }

    private <T> T as(String caller, CpuPool.Work<T> work) {
        return CpuPool.onAccountOf(() -> caller, () -> pool.run(LONG, work));
    }

    /// Work of a caller that holds its thread until the semaphore lets it go.
    private PooledWork<Integer> holding(Object caller, Semaphore held, CountDownLatch begun) {
        return CpuPool.onAccountOf(
                () -> caller,
                () -> pool.submit(LONG, budget -> {
                    begun.countDown();
                    held.acquireUninterruptibly();
                    return 1;
                }));
    }

    private static void assertRefused(Class<? extends Problem> kind, Throwable refusal) {
        assertThat(((ProblemException) refusal).problem()).isInstanceOf(kind).returns(Throttle.WORK, Problem::throttle);
    }

    @Test
    void workRunsOnPlatformThreads() {
        boolean isVirtual = as("a", budget -> Thread.currentThread().isVirtual());

        assertThat(isVirtual).isFalse();
    }

    @Test
    void workRunsOnTheAccountOfItsCaller() {
        var one = new CpuPool(1);
        try {
            CpuPool.Work<Optional<Object>> group = budget -> Optional.ofNullable(CpuAccount.currentGroup());

            var callers = CpuPool.onAccountOf(() -> new CpuAccount("a", "key"), () -> one.run(LONG, group));
            var nodes = one.run(LONG, group);

            assertThat(callers).contains("a");
            assertThat(nodes).as("work of the node on the same thread").isEmpty();
        } finally {
            one.close();
        }
    }

    @Test
    void oneCallerNeverHasAllThreads() throws Exception {
        var held = new Semaphore(0);
        var begun = new CountDownLatch(1);
        var first = holding("a", held, begun);
        var second = holding("a", held, new CountDownLatch(1));
        begun.await();

        int others = as("b", budget -> 2);

        assertThat(others).isEqualTo(2);
        held.release(2);
        assertThat(first.await() + second.await()).isEqualTo(2);
    }

    @Test
    void workThatWaitedTooLongIsRefusedUnlessItIsOfTheServerItself() {
        try (var hasty = CpuPool.ofThisMachine(Duration.ofNanos(1))) {
            assertThatThrownBy(() -> CpuPool.onAccountOf(() -> "a", () -> hasty.run(LONG, budget -> 1)))
                    .isInstanceOf(ProblemException.class)
                    .hasMessageContaining("all processors of this node are busy");
            assertThat(hasty.<Integer>run(LONG, budget -> 1)).isEqualTo(1);
        }
        try (var patient = CpuPool.ofThisMachine(Duration.ZERO)) {
            assertThat(CpuPool.<Integer>onAccountOf(() -> "a", () -> patient.run(LONG, budget -> 1)))
                    .isEqualTo(1);
        }
    }

    @Test
    void callersTakeTurns() throws Exception {
        var alone = new CpuPool(1);
        var held = new Semaphore(0);
        var begun = new CountDownLatch(1);
        var order = Collections.synchronizedList(new ArrayList<String>());
        var tasks = new ArrayList<PooledWork<Boolean>>();
        tasks.add(CpuPool.onAccountOf(
                () -> "a",
                () -> alone.submit(LONG, budget -> {
                    begun.countDown();
                    held.acquireUninterruptibly();
                    return true;
                })));
        begun.await();
        for (String caller : List.of("a", "a", "a", "b", "c", "b")) {
            tasks.add(CpuPool.onAccountOf(() -> caller, () -> alone.submit(LONG, budget -> order.add(caller))));
        }

        held.release();
        tasks.forEach(PooledWork::await);

        assertThat(order).containsExactly("b", "c", "a", "b", "a", "a");
        alone.close();
    }

    /// Or whoever has ten keys would have ten turns where a neighbour has one.
    @Test
    void callersOfOneOrganizationHaveOneTurnTogether() throws Exception {
        var alone = new CpuPool(1);
        var held = new Semaphore(0);
        var begun = new CountDownLatch(1);
        var order = Collections.synchronizedList(new ArrayList<Object>());
        var tasks = new ArrayList<PooledWork<Boolean>>();
        tasks.add(CpuPool.onAccountOf(
                () -> "first",
                () -> alone.submit(LONG, budget -> {
                    begun.countDown();
                    held.acquireUninterruptibly();
                    return true;
                })));
        begun.await();
        for (int key = 1; key <= 3; key++) {
            add(tasks, alone, new CpuAccount("acme", key), order);
            add(tasks, alone, new CpuAccount("acme", key), order);
        }
        add(tasks, alone, "b", order);
        add(tasks, alone, "b", order);

        held.release();
        tasks.forEach(PooledWork::await);

        var keys = IntStream.of(1, 2, 3, 1, 2, 3)
                .mapToObj(key -> (Object) new CpuAccount("acme", key))
                .toList();
        assertThat(order.subList(0, 4)).containsExactly(keys.get(0), "b", keys.get(1), "b");
        assertThat(order.subList(4, 8)).containsExactlyElementsOf(keys.subList(2, 6));
        alone.close();
    }

    private static void add(List<PooledWork<Boolean>> tasks, CpuPool alone, Object caller, List<Object> order) {
        tasks.add(CpuPool.onAccountOf(() -> caller, () -> alone.submit(LONG, budget -> order.add(caller))));
    }

    @Test
    void callersOfOneOrganizationDoNotFillThePool() throws Exception {
        var held = new Semaphore(0);
        var begun = new CountDownLatch(2);
        var tasks = new ArrayList<PooledWork<Integer>>();
        tasks.add(holding("first", held, begun));
        tasks.add(holding("second", held, begun));
        begun.await();
        IntStream.range(0, CpuPool.GROUP)
                .forEach(i -> tasks.add(holding(new CpuAccount("acme", i), held, new CountDownLatch(1))));

        assertThatThrownBy(() -> holding(new CpuAccount("acme", "one more"), held, begun))
                .satisfies(e -> assertRefused(Problem.RateLimited.class, e));
        tasks.add(holding("other", held, new CountDownLatch(1)));
        held.release(tasks.size());
        tasks.forEach(PooledWork::await);
    }

    @Test
    void aLineThatIsFullIsRefusedAndAnotherIsNot() throws Exception {
        var held = new Semaphore(0);
        var begun = new CountDownLatch(1);
        var tasks = new ArrayList<PooledWork<Integer>>();
        tasks.add(holding("a", held, begun));
        begun.await();
        IntStream.range(0, CpuPool.LINE).forEach(i -> tasks.add(holding("a", held, new CountDownLatch(1))));

        assertThatThrownBy(() -> count("a")).satisfies(e -> assertRefused(Problem.RateLimited.class, e));
        assertThat(CpuPool.onAccountOf(() -> "a", () -> pool.offer(LONG, budget -> 1)))
                .isEmpty();
        assertThat(count("b")).isEqualTo(1);
        held.release(tasks.size());
        tasks.forEach(PooledWork::await);
    }

    @Test
    void aStrangerHasAShorterLine() throws Exception {
        var held = new Semaphore(0);
        var begun = new CountDownLatch(1);
        var stranger = new CpuAccount.Stranger("10.0.0.1");
        var tasks = new ArrayList<PooledWork<Integer>>();
        tasks.add(holding(stranger, held, begun));
        begun.await();
        IntStream.range(0, CpuPool.LINE_OF_STRANGER)
                .forEach(i -> tasks.add(holding(stranger, held, new CountDownLatch(1))));

        assertThatThrownBy(() -> holding(stranger, held, begun))
                .satisfies(e -> assertRefused(Problem.RateLimited.class, e));
        held.release(tasks.size());
        tasks.forEach(PooledWork::await);
    }

    /// Each piece needs tens of megabytes, whoever asks for it.
    @Test
    void workThatNeedsMuchMemoryLeavesHalfOfTheThreads() throws Exception {
        var held = new Semaphore(0);
        var begun = new CountDownLatch(1);
        var second = new CountDownLatch(1);
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        try (threads) {
            var first = threads.submit(() -> large("a", held, begun));
            begun.await();
            var other = threads.submit(() -> large("b", held, second));
            Eventually.within(LONG, () -> pool.waiting() == 1);

            assertThat(count("c")).as("of little memory").isEqualTo(1);
            assertThat(second.getCount()).as("has not begun").isOne();
            held.release(2);
            assertThat(first.get() + other.get()).isEqualTo(2);
        }
    }

    private int large(String caller, Semaphore held, CountDownLatch begun) {
        return CpuPool.onAccountOf(
                () -> caller,
                () -> pool.runLarge(LONG, budget -> {
                    begun.countDown();
                    held.acquireUninterruptibly();
                    return 1;
                }));
    }

    @Test
    void manyCallersTogetherAreRefusedToo() throws Exception {
        var held = new Semaphore(0);
        var begun = new CountDownLatch(2);
        var tasks = new ArrayList<PooledWork<Integer>>();
        tasks.add(holding("first", held, begun));
        tasks.add(holding("second", held, begun));
        begun.await();
        IntStream.range(0, CpuPool.ALL).forEach(i -> tasks.add(holding("caller " + i, held, new CountDownLatch(1))));

        assertThatThrownBy(() -> count("one more")).satisfies(e -> assertRefused(Problem.Unavailable.class, e));
        held.release(tasks.size());
        tasks.forEach(PooledWork::await);
        assertThat(count("one more")).isEqualTo(1);
    }

    @Test
    void manyStrangersTogetherDoNotFillThePool() throws Exception {
        var held = new Semaphore(0);
        var begun = new CountDownLatch(2);
        var tasks = new ArrayList<PooledWork<Integer>>();
        tasks.add(holding("first", held, begun));
        tasks.add(holding("second", held, begun));
        begun.await();
        IntStream.range(0, CpuPool.STRANGERS)
                .forEach(i -> tasks.add(holding(new CpuAccount.Stranger(i), held, new CountDownLatch(1))));

        assertThatThrownBy(() -> holding(new CpuAccount.Stranger("one more"), held, begun))
                .satisfies(e -> assertRefused(Problem.Unavailable.class, e));
        tasks.add(CpuPool.onAccountOf(
                () -> new CpuAccount.Stranger("who signs in"),
                () -> CpuAccount.identifying(() -> pool.submit(LONG, budget -> 1))));
        IntStream.range(0, CpuPool.STRANGERS - 1)
                .forEach(i -> tasks.add(holding("caller " + i, held, new CountDownLatch(1))));
        held.release(tasks.size());
        tasks.forEach(PooledWork::await);
    }

    @Test
    void whatTakesTooMuchEndsAtAStep() {
        assertThatThrownBy(() -> pool.run(Duration.ofMillis(20), CpuPoolTest::forever))
                .satisfies(e -> assertRefused(Problem.Unavailable.class, e));
        assertThat(count("a")).isEqualTo(1);
    }

    private static int forever(Budget budget) {
        while (true) {
            budget.check();
        }
    }

    @Test
    void anInterruptOfWhoWaitsEndsTheWork() throws Exception {
        var begun = new CountDownLatch(1);
        var ended = new CompletableFuture<Boolean>();
        var waiter = Thread.ofVirtual().start(() -> {
            try {
                pool.run(LONG, budget -> {
                    begun.countDown();
                    try {
                        return forever(budget);
                    } catch (OverBudgetException e) {
                        ended.complete(budget.isCancelled());
                        throw e;
                    }
                });
            } catch (ProblemException e) {
                assertThat(e.problem()).isInstanceOf(Problem.Unavailable.class);
            }
        });
        begun.await();

        waiter.interrupt();

        assertThat(ended.join()).isTrue();
        waiter.join();
    }

    @Test
    void whoLeavesTheLineLeavesNothingBehind() throws Exception {
        var held = new Semaphore(0);
        var begun = new CountDownLatch(1);
        var first = holding("a", held, begun);
        begun.await();
        var ran = new AtomicInteger();
        var waiter = Thread.ofVirtual().start(() -> {
            try {
                as("a", budget -> ran.incrementAndGet());
            } catch (ProblemException e) {
                assertThat(e.problem()).isInstanceOf(Problem.Unavailable.class);
            }
        });
        while (pool.waiting() == 0) {
            Thread.onSpinWait();
        }

        waiter.interrupt();
        waiter.join();

        assertThat(pool.waiting()).isZero();
        held.release();
        assertThat(first.await()).isEqualTo(1);
        assertThat(ran).hasValue(0);
    }

    @Test
    void workWithinWorkTakesNoSecondThread() {
        int made = as("a", budget -> as("a", inner -> count("a")));

        assertThat(made).isEqualTo(1);
    }

    @Test
    void whatFailsFailsForWhoAsked() {
        assertThatThrownBy(() -> as("a", budget -> {
                    throw new IllegalStateException("so it is");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("so it is");
    }

    @Test
    void whatComputesMayNotWaitForADatabase() {
        var searches = CpuPool.ofSearches(Duration.ofSeconds(10));

        assertThat(CpuPool.mayWait()).isTrue();
        assertThat(pool.<Boolean>run(Duration.ofMinutes(1), budget -> CpuPool.mayWait()))
                .isFalse();
        assertThat(searches.<Boolean>run(Duration.ofMinutes(1), budget -> CpuPool.mayWait()))
                .isTrue();
        searches.close();
    }
}
