package dev.sheaf.engine.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.SettableClock;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Work that one node at a time does. Each worker stands for a node.
@Timeout(120)
class WorkerTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private final SettableClock clock = new SettableClock();
    private final List<Worker> workers = new ArrayList<>();
    private @Nullable TestApp app;

    private TestApp app(Stack stack) {
        var started = TestApp.start(stack, folder, clock, Map.of());
        app = started;
        return started;
    }

    private Worker worker(TestApp node, int atOnce, Worker.Job job) {
        var worker = new Worker(node.database(), "test", atOnce, job);
        workers.add(worker);
        worker.begin();
        return worker;
    }

    @AfterEach
    void stop() {
        workers.forEach(Worker::stop);
        workers.forEach(worker -> assertThat(worker.awaitEnd(LONG)).isTrue());
        if (app != null) {
            app.close();
        }
    }

    private static long rows(TestApp node) {
        return node.database().read(tx -> tx.number("SELECT count(*) FROM work WHERE kind = 'test'"));
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void noPieceIsDoneByTwoAtATimeAndNoneThatWasAskedForIsForgotten(Stack stack) {
        var node = app(stack);
        var asked = new ConcurrentHashMap<String, AtomicInteger>();
        var done = new ConcurrentHashMap<String, AtomicInteger>();
        var inside = new ConcurrentHashMap<String, AtomicInteger>();
        var wrong = new AtomicBoolean();
        Worker.Job job = claim -> {
            var here = inside.computeIfAbsent(claim.name(), name -> new AtomicInteger());
            if (here.incrementAndGet() > 1) {
                wrong.set(true);
            }
            done.computeIfAbsent(claim.name(), name -> new AtomicInteger())
                    .set(asked.getOrDefault(claim.name(), new AtomicInteger()).get());
            Thread.yield();
            here.decrementAndGet();
            return null;
        };
        var nodes = List.of(worker(node, 4, job), worker(node, 4, job), worker(node, 4, job));

        for (int i = 0; i < 600; i++) {
            String name = "piece-" + ThreadLocalRandom.current().nextInt(12);
            asked.computeIfAbsent(name, its -> new AtomicInteger()).incrementAndGet();
            nodes.forEach(each -> each.wake(name, "owner-" + name.length())); // all hear of it
        }

        Eventually.within(
                LONG,
                () -> asked.entrySet().stream().allMatch(each -> {
                    var last = done.get(each.getKey());
                    return last != null && last.get() == each.getValue().get();
                }));
        assertThat(wrong).isFalse();
        Eventually.within(LONG, () -> rows(node) == 0);
    }

    /// Who sees that a run is over may start the next one before the thread of the first has come to its end.
    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void whatIsTakenAsSoonAsItWasGivenBackIsBegun(Stack stack) throws Exception {
        var node = app(stack);
        var givenBack = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var runs = new AtomicInteger();
        var worker = worker(node, 4, claim -> {
            if (runs.incrementAndGet() == 1) {
                node.database().write(tx -> {
                    claim.done(tx);
                    return true;
                });
                givenBack.countDown();
                await(goOn);
            }
            return null;
        });
        worker.start(
                node.database().write(tx -> worker.claim(tx, "piece", "owner").orElseThrow()));
        givenBack.await();

        worker.start(
                node.database().write(tx -> worker.claim(tx, "piece", "owner").orElseThrow()));
        goOn.countDown();

        Eventually.within(LONG, () -> runs.get() == 2);
        Eventually.within(LONG, () -> rows(node) == 0);
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void whatANodeHeldThatDiedAnotherTakesAndTheDeadOneMayWriteNoMore(Stack stack) throws Exception {
        var node = app(stack);
        var begun = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var stillHeld = new ConcurrentLinkedQueue<Boolean>();
        worker(node, 1, claim -> {
                    begun.countDown();
                    await(goOn);
                    stillHeld.add(node.database().write(claim::holds));
                    return null;
                })
                .wake("piece", "owner");
        begun.await();
        var taken = new CountDownLatch(1);
        var second = worker(node, 1, claim -> {
            taken.countDown();
            await(goOn);
            return null;
        });

        second.wake("piece", "owner");
        assertThat(rows(node)).isEqualTo(1);
        clock.advance(WorkRows.HELD.plusSeconds(1)); // sooner than the next heartbeat of the first
        second.look();

        assertThat(taken.await(30, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        goOn.countDown();
        Eventually.within(LONG, () -> !stillHeld.isEmpty());
        assertThat(stillHeld).containsExactly(false);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void whatIsDueLaterIsDoneThenByWhoeverLooks(Stack stack) {
        var node = app(stack);
        var times = new ConcurrentLinkedQueue<Instant>();
        Worker.Job job = claim -> {
            times.add(node.database().now());
            return times.size() == 1 ? node.database().now().plus(Duration.ofHours(1)) : null;
        };
        var first = worker(node, 1, job);
        first.wake("piece", "owner");
        Eventually.within(LONG, () -> times.size() == 1 && free(node));
        first.stop();
        var second = worker(node, 1, job);
        second.look();
        clock.advance(Duration.ofMinutes(59));
        second.look();
        clock.advance(Duration.ofMinutes(2));
        second.look();

        Eventually.within(LONG, () -> times.size() == 2);
        Eventually.within(LONG, () -> rows(node) == 0);
        assertThat(Duration.between(times.peek(), times.stream().toList().getLast()))
                .isEqualTo(Duration.ofMinutes(61));
    }

    private static boolean free(TestApp node) {
        return node.database().read(tx -> tx.has("SELECT 1 FROM work WHERE kind = 'test' AND holder IS NULL"));
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void whatFailsIsDoneAgainAfterEverLongerPauses(Stack stack) {
        var node = app(stack);
        var tries = new AtomicInteger();
        var worker = worker(node, 1, claim -> {
            if (tries.incrementAndGet() < 4) {
                throw new IllegalStateException("try " + tries.get());
            }
            return null;
        });
        var pauses = new ArrayList<Duration>();
        worker.wake("piece", "owner");

        for (int i = 1; i < 4; i++) {
            int wanted = i;
            Eventually.within(LONG, () -> tries.get() == wanted && free(node));
            var due = node.database().read(tx -> tx.one("SELECT due_at FROM work WHERE kind = 'test'", Instant.class));
            pauses.add(Duration.between(clock.instant(), due));
            clock.advance(pauses.getLast());
            worker.look();
        }

        Eventually.within(LONG, () -> rows(node) == 0);
        assertThat(pauses).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4));
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void anOwnerWithMuchWorkKeepsNobodyWaiting(Stack stack) {
        var node = app(stack);
        var order = new ConcurrentLinkedQueue<String>();
        var worker = worker(node, 2, claim -> {
            order.add(claim.owner());
            if (claim.owner().equals("greedy")) {
                while (!claim.isOver()) {
                    claim.await(Duration.ofSeconds(1)); // never done by itself
                }
                return node.database().now();
            }
            return null;
        });

        for (int i = 0; i < 20; i++) {
            worker.wake("greedy-" + i, "greedy");
        }
        worker.wake("modest", "modest");

        Eventually.within(LONG, () -> order.contains("modest"));
        assertThat(order.stream().takeWhile(owner -> !owner.equals("modest")).count())
                .isLessThan(10);
    }

    /// Else who makes room, and wants to go on, would take it again before those for whom it was made.
    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void ofPiecesThatNeverEndEachComesToItsTurn(Stack stack) {
        var node = app(stack);
        var begun = ConcurrentHashMap.<String>newKeySet();
        var worker = worker(node, 1, claim -> {
            begun.add(claim.name());
            while (!claim.isOver()) {
                claim.await(Duration.ofSeconds(1));
            }
            return node.database().now();
        });

        for (int i = 0; i < 4; i++) {
            worker.wake("piece-" + i, "owner");
        }

        Eventually.within(LONG, () -> begun.size() == 4);
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void aNodeThatStopsGivesBackWhatItHeld(Stack stack) {
        var node = app(stack);
        var worker = worker(node, 1, claim -> {
            while (!claim.isOver()) {
                claim.await(Duration.ofSeconds(1));
            }
            return node.database().now();
        });
        worker.wake("piece", "owner");
        Eventually.within(LONG, () -> rows(node) == 1 && !free(node));

        worker.stop();

        assertThat(worker.awaitEnd(LONG)).isTrue();
        assertThat(free(node)).isTrue();
    }
}
