package dev.sheaf.server.http.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.rate.Holder;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CallerQueueTest {
    private static final Holder MANY = new Holder.Network(1);
    private static final Holder OTHER = new Holder.Network(2);

    private final CallerQueue turnstile = new CallerQueue(4);
    private final CountDownLatch held = new CountDownLatch(1);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    private List<Thread> hundred() throws InterruptedException {
        var four = new CountDownLatch(4);
        var threads = IntStream.range(0, 100)
                .mapToObj(i -> Thread.ofVirtual()
                        .start(() -> turnstile.pass(MANY, 0, () -> {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            four.countDown();
                            awaitQuietly();
                            return inside.decrementAndGet();
                        })))
                .toList();
        four.await();
        return threads;
    }

    private void awaitQuietly() {
        try {
            held.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aHundredOfOneCallerAreWorkedOnByFoursAndNoneIsRefused() throws Exception {
        var threads = hundred();

        int other = turnstile.pass(OTHER, 0, () -> 1);

        assertThat(other).isEqualTo(1);
        held.countDown();
        for (var thread : threads) {
            thread.join();
        }
        assertThat(most).hasValue(4);
        assertThat(turnstile.callers()).isZero();
    }

    @Test
    void whoIsInterruptedWhileWaitingLeaves() throws Exception {
        var threads = hundred();
        var told = new AtomicReference<Problem>();
        var waiter = Thread.ofVirtual().start(() -> {
            try {
                turnstile.pass(MANY, 0, () -> 1);
            } catch (ProblemException e) {
                told.set(e.problem());
            }
        });

        waiter.interrupt();
        waiter.join();

        assertThat(told.get()).isInstanceOf(Problem.Unavailable.class);
        held.countDown();
        for (var thread : threads) {
            thread.join();
        }
        assertThat(turnstile.callers()).isZero();
    }

    @Test
    void whoWaitsTooLongIsRefused() throws Exception {
        var threads = hundred();

        assertThatThrownBy(() -> turnstile.pass(MANY, 1_000_000, () -> 1))
                .isInstanceOfSatisfying(
                        ProblemException.class, e -> assertThat(e.problem()).isInstanceOf(Problem.Unavailable.class));

        held.countDown();
        for (var thread : threads) {
            thread.join();
        }
        assertThat(turnstile.callers()).isZero();
        assertThat(turnstile.<Integer>pass(MANY, 1_000_000, () -> 1)).isEqualTo(1);
    }
}
