package dev.sheaf.server.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
    private static final long LIMIT = Heartbeat.LIMIT.toNanos();

    private final AtomicLong nanos = new AtomicLong(-5); // such a clock may begin anywhere
    private final AtomicInteger forgotten = new AtomicInteger();
    private final Heartbeat heartbeat = new Heartbeat(forgotten::incrementAndGet, nanos::get);

    @Test
    void nothingIsBelievedBeforeTheFirstBeatIsBack() {
        String beat = heartbeat.beat();
        assertThat(heartbeat.isCurrent()).isFalse();

        heartbeat.heard(beat);

        assertThat(heartbeat.isCurrent()).isTrue();
        assertThat(forgotten).hasValue(1);
    }

    @Test
    void aBeatCountsFromWhenItWasSent() {
        heartbeat.heard(heartbeat.beat());
        String beat = heartbeat.beat();
        nanos.addAndGet(LIMIT - 1);
        assertThat(heartbeat.isCurrent()).isTrue();

        nanos.addAndGet(1);
        assertThat(heartbeat.isCurrent()).as("two seconds are over").isFalse();
        heartbeat.heard(beat);

        assertThat(heartbeat.isCurrent())
                .as("what came since that one was sent may be missing")
                .isFalse();
        heartbeat.heard(heartbeat.beat());
        assertThat(heartbeat.isCurrent()).isTrue();
    }

    @Test
    void whatWasRememberedIsDroppedBeforeItIsBelievedAgain() {
        heartbeat.heard(heartbeat.beat());
        nanos.addAndGet(LIMIT);

        heartbeat.heard(heartbeat.beat());

        assertThat(forgotten).hasValue(2);
    }

    @Test
    void nothingIsDroppedWhileBeatsComeBackInTime() {
        for (int i = 0; i < 10; i++) {
            heartbeat.heard(heartbeat.beat());
            nanos.addAndGet(LIMIT / 2);
        }

        assertThat(forgotten).as("the first").hasValue(1);
    }

    /// Behind a pooler one of them may come back by luck.
    @Test
    void aBeatThatIsMissingDropsEverything() {
        heartbeat.heard(heartbeat.beat());
        heartbeat.beat();

        heartbeat.heard(heartbeat.beat());

        assertThat(forgotten).hasValue(2);
    }

    @Test
    void whoseLineIsGoneHearsNothing() {
        heartbeat.heard(heartbeat.beat());

        heartbeat.lost();

        assertThat(heartbeat.isCurrent()).isFalse();
    }
}
