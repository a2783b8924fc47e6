package dev.sheaf.server.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HearingTest {
    private static final long LIMIT = Hearing.LIMIT.toNanos();

    private final AtomicLong nanos = new AtomicLong(-5); // such a clock may begin anywhere
    private final AtomicInteger forgotten = new AtomicInteger();
    private final Hearing hearing = new Hearing(forgotten::incrementAndGet, nanos::get);

    @Test
    void nothingIsBelievedBeforeTheFirstBeatIsBack() {
        String beat = hearing.beat();
        assertThat(hearing.isCurrent()).isFalse();

        hearing.heard(beat);

        assertThat(hearing.isCurrent()).isTrue();
        assertThat(forgotten).hasValue(1);
    }

    @Test
    void aBeatCountsFromWhenItWasSent() {
        hearing.heard(hearing.beat());
        String beat = hearing.beat();
        nanos.addAndGet(LIMIT - 1);
        assertThat(hearing.isCurrent()).isTrue();

        nanos.addAndGet(1);
        assertThat(hearing.isCurrent()).as("two seconds are over").isFalse();
        hearing.heard(beat);

        assertThat(hearing.isCurrent())
                .as("what came since that one was sent may be missing")
                .isFalse();
        hearing.heard(hearing.beat());
        assertThat(hearing.isCurrent()).isTrue();
    }

    @Test
    void whatWasRememberedIsDroppedBeforeItIsBelievedAgain() {
        hearing.heard(hearing.beat());
        nanos.addAndGet(LIMIT);

        hearing.heard(hearing.beat());

        assertThat(forgotten).hasValue(2);
    }

    @Test
    void nothingIsDroppedWhileBeatsComeBackInTime() {
        for (int i = 0; i < 10; i++) {
            hearing.heard(hearing.beat());
            nanos.addAndGet(LIMIT / 2);
        }

        assertThat(forgotten).as("the first").hasValue(1);
    }

    /// Behind a pooler one of them may come back by luck.
    @Test
    void aBeatThatIsMissingDropsEverything() {
        hearing.heard(hearing.beat());
        hearing.beat();

        hearing.heard(hearing.beat());

        assertThat(forgotten).hasValue(2);
    }

    @Test
    void whoseLineIsGoneHearsNothing() {
        hearing.heard(hearing.beat());

        hearing.lost();

        assertThat(hearing.isCurrent()).isFalse();
    }
}
