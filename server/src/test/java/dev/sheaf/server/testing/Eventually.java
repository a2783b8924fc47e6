package dev.sheaf.server.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for what comes by itself and tells nobody.
public final class Eventually {
    private static final Duration PAUSE = Duration.ofMillis(1);

    private Eventually() {}

    /// Asks again and again until the answer is yes. One that was asked in time counts, however long this machine
    /// took over it.
    ///
    /// @return how long it took until then
    /// @throws AssertionError where the answer is still no after `limit`
    public static Duration within(Duration limit, BooleanSupplier question) {
        long begin = System.nanoTime();
        var asked = Duration.ZERO;
        while (!question.getAsBoolean()) {
            assertThat(asked).as("asked in vain").isLessThan(limit);
            LockSupport.parkNanos(PAUSE.toNanos());
            asked = Duration.ofNanos(System.nanoTime() - begin);
        }
        return asked;
    }
}
