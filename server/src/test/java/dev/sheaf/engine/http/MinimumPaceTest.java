package dev.sheaf.engine.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MinimumPaceTest {
    private static final int RATE = 1_000;

    private final MinimumPace progress =
            new MinimumPace(new HttpServer.Pace(RATE, Duration.ofSeconds(10)), Duration.ofSeconds(60));
    private long now = 7;

    private void pass(double seconds) {
        now += (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }

    /// One wait, at whose end it is looked at as well.
    ///
    /// @return whether it was too slow at any time
    private boolean takes(double seconds, long bytes, long expected) {
        progress.await(now, expected);
        pass(seconds);
        boolean slow = progress.isTooSlow(now);
        progress.moved(now, bytes);
        return slow;
    }

    @Test
    void whoKeepsThePaceMayTakeAnyTime() {
        for (int i = 0; i < 100_000; i++) {
            assertThat(takes(5, 5 * RATE, 0)).isFalse();
        }
    }

    @Test
    void whoIsSlowerHasTheGraceAndNoMore() {
        for (int i = 0; i < 10; i++) {
            assertThat(takes(1, 1, 0)).as("after " + i + " s").isFalse();
        }
        assertThat(takes(1, 1, 0)).isTrue();
    }

    @Test
    void aQuickStartBuysNoHours() {
        takes(1, 1L << 30, 0);
        int seconds = 0;
        while (!takes(1, 1, 0)) {
            seconds++;
        }

        assertThat(seconds).isEqualTo(70);
    }

    @Test
    void whatMayHaveMovedAlreadyCountsForIt() {
        progress.await(now, 60L * RATE);
        pass(69);
        assertThat(progress.isTooSlow(now)).isFalse();
        pass(2);
        assertThat(progress.isTooSlow(now)).isTrue();
    }

    @Test
    void onlyTheTimeCountsInWhichItIsWaitedFor() {
        takes(9, 1, 0);
        pass(1_000);

        assertThat(progress.isTooSlow(now)).isFalse();
        assertThat(takes(0.9, 1, 0)).isFalse();
        assertThat(takes(1, 1, 0)).isTrue();
    }

    @Test
    void withoutAPaceNobodyIsTooSlow() {
        var any = new MinimumPace(new HttpServer.Pace(0, Duration.ofSeconds(10)), Duration.ofSeconds(60));
        any.await(now, 0);
        pass(1_000_000);

        assertThat(any.isTooSlow(now)).isFalse();
    }
}
