package dev.sheaf.server.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HandOverTest {
    private static final int BUSY = 6 * Runtime.getRuntime().availableProcessors();

    /// Each busy thread finds another one in its carrier's queue, so that, unless they give way, the last thread
    /// never begins.
    @Test
    @Timeout(60)
    void busyThreadsLetTheOthersBegin() throws Exception {
        var over = new AtomicBoolean();
        var begun = new CountDownLatch(BUSY);
        try {
            for (int i = 0; i < BUSY; i++) {
                Thread.ofVirtual().start(() -> {
                    begun.countDown();
                    while (!over.get()) {
                        HandOver.giveWay();
                        Thread.yield();
                    }
                });
                HandOver.done(); // as the listener does; otherwise the next one may never begin
            }
            begun.await();
            for (int i = 0; i < 100; i++) {
                var last = new CountDownLatch(1);
                Thread.ofVirtual().start(last::countDown);
                HandOver.done();
                assertThat(last.await(60, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            over.set(true);
        }
    }

    /// Nobody is left aside, however often others come.
    @Test
    @Timeout(60)
    void whoGaveWayGoesOn() throws Exception {
        var rounds = new AtomicInteger();
        var ended = new CountDownLatch(BUSY);
        for (int i = 0; i < BUSY; i++) {
            Thread.ofVirtual().start(() -> {
                for (int round = 0; round < 10_000; round++) {
                    HandOver.giveWay();
                    rounds.incrementAndGet();
                    Thread.yield();
                }
                ended.countDown();
            });
        }
        while (ended.getCount() > 0) {
            HandOver.done();
        }
        assertThat(rounds).hasValue(BUSY * 10_000);
    }
}
