package dev.sheaf.server.blob;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Lets only a few threads use the processors at a time. A thread that waits, for a slow peer for example, loses its
/// place to one that can go on, and goes on without a place when its wait ends. Fair, thread-safe.
final class Places {
    /// What [#take] returns if there was no place in time.
    static final int NONE = -1;

    private static final Duration LOOK = Duration.ofMillis(1);

    private final AtomicReferenceArray<@Nullable Thread> holders;
    private final long patience;
    private final ReentrantLock line = new ReentrantLock(true); // its owner is the next to get a place
    private volatile @Nullable Thread next;

    /// @param patience how long a thread waits for a place
    Places(int count, Duration patience) {
        this.holders = new AtomicReferenceArray<>(count);
        this.patience = patience.toNanos();
    }

    /// Returns a place, to be given to [#leave].
    int take() throws InterruptedException {
        int found = line.isLocked() ? NONE : find();
        if (found != NONE || !line.tryLock(patience, TimeUnit.NANOSECONDS)) {
            return found;
        }
        try {
            var self = Thread.currentThread();
            next = self;
            long begin = System.nanoTime();
            found = find();
            while (found == NONE && System.nanoTime() - begin < patience && !self.isInterrupted()) {
                LockSupport.parkNanos(LOOK.toNanos()); // nobody tells when a holder begins to wait
                found = find();
            }
            return found;
        } finally {
            next = null;
            line.unlock();
        }
    }

    private int find() {
        for (int place = 0; place < holders.length(); place++) {
            var holder = holders.get(place);
            if ((holder == null || holder.getState() != Thread.State.RUNNABLE)
                    && holders.compareAndSet(place, holder, Thread.currentThread())) {
                return place;
            }
        }
        return NONE;
    }

    void leave(int place) {
        if (place != NONE && holders.compareAndSet(place, Thread.currentThread(), null)) {
            LockSupport.unpark(next);
        }
    }
}
