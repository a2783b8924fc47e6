package dev.sheaf.server.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PlacesTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    @Test
    void asManyThreadsAsPlacesRunAtATime() throws Exception {
        var places = new Places(2, LONG);
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var without = new AtomicInteger();

        Callable<Integer> work = () -> {
            int place = places.take();
            without.addAndGet(place == Places.NONE ? 1 : 0);
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            for (int spin = 0; spin < 1_000; spin++) {
                Thread.onSpinWait();
            }
            running.decrementAndGet();
            places.leave(place);
            return place;
        };
        work.call(); // links Math::max: a thread that waits while another links it would lose its place

        try (var threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 8; i++) {
                threads.submit(() -> {
                    for (int piece = 0; piece < 500; piece++) {
                        work.call();
                    }
                    return most;
                });
            }
        }

        assertThat(most).hasValueBetween(1, 2);
        assertThat(without).hasValue(0);
    }

    /// A slow peer would otherwise hold up all transfers.
    @Test
    void aThreadThatWaitsLosesItsPlaceAndReturnsNothingLater() throws Exception {
        var places = new Places(1, LONG);
        var end = new CountDownLatch(1);
        var slow = Thread.ofVirtual().start(() -> {
            try {
                int place = places.take();
                end.await();
                places.leave(place);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Eventually.within(LONG, () -> slow.getState() == Thread.State.WAITING);

        int mine = places.take();
        assertThat(mine).isNotEqualTo(Places.NONE);

        end.countDown();
        slow.join();
        var other = new AtomicInteger(Integer.MAX_VALUE);
        var impatient = new AtomicBoolean(true);
        var third = Thread.ofVirtual().start(() -> {
            try {
                other.set(places.take());
                places.leave(other.get());
            } catch (InterruptedException e) {
                impatient.set(false);
            }
        });
        spinUntilWaiting(third);
        assertThat(other).as("this thread still has the only place").hasValue(Integer.MAX_VALUE);
        places.leave(mine);
        third.join();
        assertThat(other).hasValue(mine);
        assertThat(impatient).isTrue();
    }

    /// This thread must not wait itself, or it would lose its place.
    private static void spinUntilWaiting(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void whoseTurnDoesNotComeInTimeGoesOnWithout() throws Exception {
        var places = new Places(1, Duration.ofMillis(1));
        var end = new AtomicBoolean();
        var taken = new CountDownLatch(1);
        var busy = Thread.ofPlatform().start(() -> {
            try {
                int place = places.take();
                taken.countDown();
                while (!end.get()) {
                    Thread.onSpinWait();
                }
                places.leave(place);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        taken.await();

        assertThat(places.take()).isEqualTo(Places.NONE);

        end.set(true);
        busy.join();
        assertThat(places.take()).isNotEqualTo(Places.NONE);
    }
}
