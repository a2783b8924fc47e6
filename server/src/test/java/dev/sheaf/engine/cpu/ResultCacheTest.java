package dev.sheaf.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.ProblemException;
import dev.sheaf.server.testing.Eventually;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ResultCacheTest {
    private static final int SIZE = 10;

    private final CpuPool pool = new CpuPool(2);
    private final ResultCache<String, String> results =
            new ResultCache<>(pool, Duration.ofMinutes(1), 5 * SIZE, (key, value) -> SIZE);
    private final AtomicInteger made = new AtomicInteger();

    @AfterEach
    void close() {
        pool.close();
    }

    private String get(String key) {
        return results.get(key, budget -> {
            made.incrementAndGet();
            return key + "!";
        });
    }

    @Test
    void theSameIsMadeOnce() {
        assertThat(get("a")).isEqualTo("a!");
        assertThat(get("a")).isEqualTo("a!");

        assertThat(made).hasValue(1);
    }

    @Test
    void theBytesAreBounded() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 50; i++) {
                get("k" + i);
            }
        }

        assertThat(made).hasValueGreaterThanOrEqualTo(90);
    }

    @Test
    void whoComesMeanwhileWaitsForTheSame() throws Exception {
        var begun = new CountDownLatch(1);
        var held = new Semaphore(0);
        var first = CompletableFuture.supplyAsync(() -> results.get("a", budget -> {
            begun.countDown();
            held.acquireUninterruptibly();
            return "of the first";
        }));
        begun.await();
        var second = Thread.ofVirtual().unstarted(() -> assertThat(get("a")).isEqualTo("of the first"));
        second.start();
        while (second.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        held.release();

        assertThat(first.join()).isEqualTo("of the first");
        second.join();
        assertThat(made).hasValue(0);
    }

    /// Whose turns many others may have before it.
    @Test
    void whoIsKnownDoesNotWaitForTheTurnOfAStranger() throws Exception {
        var stranger = new CpuAccount.Stranger("address");
        var begun = new CountDownLatch(1);
        var held = new Semaphore(0);
        var before = CpuPool.onAccountOf(
                () -> stranger,
                () -> pool.submit(Duration.ofMinutes(1), budget -> {
                    begun.countDown();
                    held.acquireUninterruptibly();
                    return 1;
                }));
        begun.await();
        var queued = CompletableFuture.supplyAsync(
                () -> CpuPool.onAccountOf(() -> stranger, () -> results.get("a", budget -> "of the stranger")));
        Eventually.within(Duration.ofSeconds(60), () -> pool.waiting() == 1);

        String known = CpuPool.onAccountOf(() -> "acme", () -> get("a"));

        assertThat(known).isEqualTo("a!");
        held.release();
        assertThat(queued.join()).isEqualTo("of the stranger");
        assertThat(before.await()).isOne();
    }

    @Test
    void itIsMadeAgainWhereItWasGivenUp() throws Exception {
        var begun = new CountDownLatch(1);
        var waiter = Thread.ofVirtual().start(() -> {
            assertThatThrownBy(() -> results.get("a", budget -> {
                        begun.countDown();
                        while (true) {
                            budget.check();
                        }
                    }))
                    .isInstanceOf(ProblemException.class);
        });
        begun.await();
        waiter.interrupt();
        waiter.join();

        assertThat(get("a")).isEqualTo("a!");
    }

    @Test
    void whatTheWorkNeedsIsFetchedOnTheThreadThatAsks() {
        var asking = Thread.currentThread();
        for (int i = 0; i < 2; i++) {
            String result = results.get("a", () -> {
                made.incrementAndGet();
                assertThat(Thread.currentThread()).isSameAs(asking);
                return budget -> Thread.currentThread() == asking ? "here" : "there";
            });
            assertThat(result).isEqualTo("there");
        }

        assertThat(made).as("where it is known, nothing is fetched").hasValue(1);
    }
}
