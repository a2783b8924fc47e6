package dev.sheaf.server.cpu;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/// Estimates how long a virtual thread that the network wakes waits for a processor. The time cannot be measured for a
/// request itself, because nobody knows when its first byte came. So a thread is started now and then behind those that
/// wait, and its delay is measured. While nobody asks, nothing is started. Thread-safe.
public final class Backlog {
    private static final long PAUSE = Duration.ofMillis(100).toNanos();
    private static final long OLD = Duration.ofSeconds(2).toNanos();

    private final LongSupplier nanos;
    private final Executor threads;
    private final AtomicBoolean waits = new AtomicBoolean();
    private volatile long since; // the start of the latest thread
    private volatile long delay; // of the latest thread that ran

    public Backlog() {
        this(System::nanoTime, run -> Thread.ofVirtual().name("backlog").start(run));
    }

    /// @param nanos a clock like [System#nanoTime]
    /// @param threads runs a task in its turn
    Backlog(LongSupplier nanos, Executor threads) {
        this.nanos = nanos;
        this.threads = threads;
        this.since = nanos.getAsLong() - OLD;
    }

    /// Returns the estimate in nanoseconds, and renews it if it is old. Costs a few nanoseconds. Call it on a virtual
    /// thread.
    public long renewed() {
        long now = nanos.getAsLong();
        long estimate = estimate(now);
        if (now - since >= PAUSE && waits.compareAndSet(false, true)) {
            since = now;
            start();
        }
        return estimate;
    }

    private void start() {
        boolean started = false;
        try {
            threads.execute(this::ran);
            started = true;
        } finally {
            if (!started) { // no memory; else the estimate would grow for ever
                waits.set(false);
            }
        }
    }

    /// Returns the latest estimate in nanoseconds; zero if there was none in the last two seconds.
    public long nanos() {
        return estimate(nanos.getAsLong());
    }

    private long estimate(long now) {
        long waiting = now - since;
        if (waits.get()) {
            return Math.max(delay, waiting);
        }
        return waiting < OLD ? delay : 0;
    }

    private void ran() {
        delay = nanos.getAsLong() - since;
        waits.set(false);
    }
}
