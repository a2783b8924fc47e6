package dev.sheaf.engine.blob;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OncePerMinuteTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final OncePerMinute log = new OncePerMinute(nanos::get);

    @Test
    void aFailureIsDueOnceAMinute() {
        assertThat(log.isDue("one")).isTrue();
        assertThat(log.isDue("one")).isFalse();
        assertThat(log.isDue("another")).isTrue();

        nanos.addAndGet(Duration.ofSeconds(59).toNanos());
        assertThat(log.isDue("one")).isFalse();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThat(log.isDue("one")).isTrue();
    }

    @Test
    void theOldestIsForgottenFirst() {
        for (int i = 0; i < 1_001; i++) {
            assertThat(log.isDue("failure " + i)).isTrue();
        }

        assertThat(log.isDue("failure 1")).isFalse();
        assertThat(log.isDue("failure 0")).isTrue();
    }
}
