package dev.sheaf.server.cpu;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// Platform threads, as many as processors, that hash the large pieces of transfers. The operating system shares the
/// processors between them and the threads of all other requests, so small requests do not wait for uploads.
/// Thread-safe.
public final class BulkPool {
    private static final ExecutorService THREADS = Executors.newFixedThreadPool(
            Runtime.getRuntime().availableProcessors(),
            Thread.ofPlatform().daemon().name("bulk-", 0).factory());

    private BulkPool() {}

    private static final class Piece implements Runnable {
        private final Runnable work;
        private final CountDownLatch done = new CountDownLatch(1);
        private volatile @Nullable Throwable failure;

        Piece(Runnable work) {
            this.work = work;
        }

        @Override
        public void run() {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                failure = e;
            } finally {
                done.countDown();
            }
        }

        /// Waits even if it is interrupted, because the work uses buffers of its caller.
        void await() {
            boolean interrupted = false;
            while (true) {
                try {
                    done.await();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            switch (failure) {
                case null -> {}
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                default -> throw new IllegalStateException(failure);
            }
        }
    }

    /// Runs brief work and waits for its end.
    public static void run(Runnable work) {
        if (!Thread.currentThread().isVirtual()) {
            work.run();
            return;
        }
        var piece = new Piece(work);
        THREADS.execute(piece);
        piece.await();
    }
}
