package dev.sheaf.server.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 100);
    private final Queue<Runnable> started = new ArrayDeque<>();
    private final Backlog backlog = new Backlog(nanos::get, started::add);

    private void pass(long millis) {
        nanos.addAndGet(Duration.ofMillis(millis).toNanos());
    }

    private static long millis(long nanos) {
        return Duration.ofNanos(nanos).toMillis();
    }

    @Test
    void theDelayOfTheLatestThreadIsTheEstimate() {
        assertThat(backlog.renewed()).isZero();
        pass(70);
        started.remove().run();

        assertThat(millis(backlog.renewed())).isEqualTo(70);
        assertThat(started).as("another one too soon").isEmpty();
        pass(30);
        assertThat(millis(backlog.renewed())).isEqualTo(70);
        assertThat(started).hasSize(1);
    }

    @Test
    void aThreadThatStillWaitsIsAsLateAsItHasWaited() {
        backlog.renewed();
        pass(11_000);

        assertThat(millis(backlog.renewed())).isEqualTo(11_000);
        assertThat(millis(backlog.nanos())).isEqualTo(11_000);
        assertThat(started).as("one at a time").hasSize(1);
    }

    @Test
    void anOldEstimateIsForgotten() {
        backlog.renewed();
        pass(500);
        started.remove().run();
        assertThat(millis(backlog.nanos())).isEqualTo(500);

        pass(1_500);

        assertThat(backlog.nanos()).isZero();
        assertThat(backlog.renewed()).isZero();
        assertThat(started).hasSize(1);
    }

    @Test
    void itMeasuresVirtualThreads() throws InterruptedException {
        var real = new Backlog();
        var asks = Thread.ofVirtual().start(() -> {
            while (real.renewed() == 0) {
                Thread.yield();
            }
        });

        assertThat(asks.join(Duration.ofSeconds(60))).isTrue();
    }

    /// Otherwise it would grow for ever, and the node would refuse every request.
    @Test
    void aThreadThatCannotBeStartedIsNoDelay() {
        var full = new Backlog(nanos::get, run -> {
            throw new OutOfMemoryError("of a test");
        });
        assertThatThrownBy(full::renewed).isInstanceOf(OutOfMemoryError.class);

        pass(11_000);

        assertThat(full.nanos()).isZero();
    }
}
