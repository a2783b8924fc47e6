package dev.sheaf.server.cpu;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CarriersTest {
    /// Without it the last one never begins: each carrier always has another one in its own line. There are so many
    /// that doubling the carriers once or twice is not enough.
    @Test
    @Timeout(60)
    void aThreadBeginsWhileOthersNeverLeaveACarrierIdle() throws Exception {
        assertLastBegins(6 * Runtime.getRuntime().availableProcessors(), Carriers::crossing);
    }

    /// One on each carrier is enough to keep the line from being empty.
    @Test
    @Timeout(60)
    void aThreadBeginsWhileOthersMoveContent() throws Exception {
        assertLastBegins(Runtime.getRuntime().availableProcessors(), Carriers::moving);
    }

    private static void assertLastBegins(int hogs, Runnable told) throws Exception {
        var over = new AtomicBoolean();
        var begun = new CountDownLatch(hogs);
        var carriers = Carriers.watched();
        try {
            for (int i = 0; i < hogs; i++) {
                Thread.ofVirtual().start(() -> {
                    begun.countDown();
                    while (!over.get()) {
                        Thread.yield();
                    }
                });
            }
            await(begun, told);
            var last = new CountDownLatch(1);
            Thread.ofVirtual().start(last::countDown);

            await(last, told);
        } finally {
            over.set(true);
            carriers.close();
        }
    }

    private static void await(CountDownLatch latch, Runnable told) throws InterruptedException {
        do {
            told.run();
        } while (!latch.await(20, TimeUnit.MILLISECONDS));
    }
}
