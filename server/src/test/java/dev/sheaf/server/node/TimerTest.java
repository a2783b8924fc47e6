package dev.sheaf.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TimerTest {
    private static final int LONG = 20;

    /// Keys that are revoked by a report, what is refused, and signs of life all wait for it.
    @Test
    @Timeout(60)
    void whatTakesLongHoldsNothingElseUp() throws Exception {
        var timer = new Timer();
        var running = new CountDownLatch(LONG);
        var end = new CountDownLatch(1);
        var others = new CountDownLatch(2);
        try {
            timer.now(() -> await(running, end));
            for (int i = 1; i < LONG; i++) {
                timer.every(Duration.ofMillis(1), () -> await(running, end));
            }
            assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();

            timer.every(Duration.ofMillis(1), others::countDown);

            assertThat(others.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            end.countDown();
            timer.stop();
        }
    }

    private static void await(CountDownLatch running, CountDownLatch end) {
        running.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
