package dev.sheaf.server.db.beat;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
    private static final long LIMIT = Heartbeat.LIMIT.toNanos();

    private final AtomicLong nanos = new AtomicLong(-5); // such a clock may begin anywhere
    private final Heartbeat heartbeat = new Heartbeat(nanos::get);

    @Test
    void aNodeNeedsBothARecentReadAndARecentNotification() {
        assertThat(heartbeat.isCurrent()).isFalse();

        heartbeat.read(nanos.get());
        assertThat(heartbeat.isCurrent()).as("notifications may not arrive").isFalse();
        heartbeat.heard(1);

        assertThat(heartbeat.isCurrent()).isTrue();
    }

    @Test
    void aReadCountsFromItsBeginning() {
        long begin = nanos.get();
        nanos.addAndGet(LIMIT - 1);
        heartbeat.read(begin);
        heartbeat.heard(1);
        assertThat(heartbeat.isCurrent()).isTrue();

        nanos.incrementAndGet();

        assertThat(heartbeat.isCurrent())
                .as("changes of two seconds may be unknown")
                .isFalse();
    }

    @Test
    void aNodeThatHearsNothingIsNotCurrentHoweverOftenItReads() {
        heartbeat.heard(1);
        nanos.addAndGet(Heartbeat.SILENCE.toNanos());

        heartbeat.read(nanos.get());

        assertThat(heartbeat.isCurrent()).isFalse();
        assertThat(heartbeat.isHeard()).isFalse();
    }

    /// On a machine without a free processor, beats come seconds late. The reads say what changed.
    @Test
    void lateNotificationsDoNotMatterWhileTheNodeReads() {
        heartbeat.heard(1);
        nanos.addAndGet(5 * LIMIT);
        assertThat(heartbeat.isCurrent()).isFalse();

        heartbeat.read(nanos.get());

        assertThat(heartbeat.isCurrent()).isTrue();
    }

    @Test
    void changesOfOtherNodesAreAsGoodAsBeats() {
        heartbeat.read(nanos.get());

        heartbeat.told();

        assertThat(heartbeat.isCurrent()).isTrue();
        assertThat(heartbeat.isDue()).isFalse();
    }

    @Test
    void aNodeWhoseConnectionClosedIsNotCurrent() {
        heartbeat.read(nanos.get());
        heartbeat.heard(1);

        heartbeat.lost();

        assertThat(heartbeat.isCurrent()).isFalse();
    }

    @Test
    void aBeatIsDueAfterSilenceAndLaterAmongMany() {
        assertThat(heartbeat.isDue()).isTrue();
        heartbeat.heard(1);
        nanos.addAndGet(Duration.ofMillis(600).toNanos());
        assertThat(heartbeat.isDue()).isTrue();

        heartbeat.heard(100);
        nanos.addAndGet(Duration.ofMillis(1_190).toNanos());
        assertThat(heartbeat.isDue()).isFalse();
        nanos.addAndGet(Duration.ofMillis(10).toNanos());
        assertThat(heartbeat.isDue()).isTrue();
    }

    @Test
    void messagesKeepADistanceThatGrowsWithTheNodes() {
        assertThat(heartbeat.untilTurn()).isZero();

        heartbeat.heard(100);
        heartbeat.told();

        assertThat(heartbeat.untilTurn()).isEqualTo(Duration.ofMillis(500).toNanos());
        nanos.addAndGet(Duration.ofMillis(500).toNanos());
        assertThat(heartbeat.untilTurn()).isZero();
    }

    @Test
    void aBeatTellsHowManyNodesListen() {
        assertThat(heartbeat.isCountDue()).isTrue();
        heartbeat.count(40);
        var other = new Heartbeat(nanos::get);

        other.heard(heartbeat.nodes());

        assertThat(heartbeat.isCountDue()).isFalse();
        assertThat(other.share()).isEqualTo(40 * Duration.ofMillis(5).toNanos());
        other.heard(0);
        assertThat(other.share()).isEqualTo(40 * Duration.ofMillis(5).toNanos());
    }

    @Test
    void readsComeTwiceASecondAndOnceAmongMany() {
        assertThat(heartbeat.untilRead()).isZero();
        heartbeat.read(nanos.get());
        assertThat(heartbeat.untilRead()).isEqualTo(Duration.ofMillis(500).toNanos());

        heartbeat.count(100);
        nanos.incrementAndGet();
        heartbeat.read(nanos.get());

        assertThat(Duration.ofNanos(heartbeat.untilRead())).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1_600));
        nanos.addAndGet(Duration.ofMillis(1_149).toNanos());
        assertThat(heartbeat.untilLate()).isPositive();
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        assertThat(heartbeat.untilLate()).isZero();
    }

    /// In the 20 ms until the others have heard of it.
    @Test
    void ofManyNodesOneReadsAtATime() {
        var random = new Random(1);
        long together = 0;
        for (int round = 0; round < 1_000; round++) {
            var times = DoubleStream.generate(random::nextDouble)
                    .limit(100)
                    .mapToLong(number -> Heartbeat.spread(number, 100))
                    .sorted()
                    .toArray();
            long first = times[0] + Duration.ofMillis(20).toNanos();
            together += LongStream.of(times).filter(time -> time <= first).count();
            assertThat(times[99]).isLessThanOrEqualTo(Duration.ofMillis(600).toNanos());
        }

        assertThat(together / 1_000.0).isLessThan(2.0);
    }

    @Test
    void aReadFromBeforeTheLastOneChangesNothing() {
        heartbeat.heard(1);
        heartbeat.read(nanos.get());

        heartbeat.read(nanos.get() - LIMIT);

        assertThat(heartbeat.isCurrent()).isTrue();
    }
}
