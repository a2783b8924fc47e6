package dev.sheaf.server.cpu;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/// What a piece of work may take of a processor, counted in the time of its thread, so that a busy machine changes
/// nothing in what can be done. The work is written in steps and calls [#check] in its loops: that ends it, also
/// where nothing in it heeds an interrupt. [#cancel] may be called by any thread, the rest is for the one that works.
public final class Budget {
    private static final int CLOCK_EVERY = 16; // a look at the clock takes as long as some hundred steps of a loop

    private final long nanos;
    private long began = Long.MIN_VALUE;
    private long steps;
    private volatile boolean cancelled;

    private Budget(long nanos) {
        this.nanos = nanos;
    }

    /// @param processor time of the processor
    public static Budget of(Duration processor) {
        return new Budget(processor.toNanos());
    }

    /// To be called before each step, which should take less than a few milliseconds.
    ///
    /// @throws OverBudgetException where the work is to end
    public void check() {
        if (cancelled) {
            throw new OverBudgetException("nobody waits for this any more");
        }
        if (began == Long.MIN_VALUE) {
            began = now();
        }
        if (steps++ % CLOCK_EVERY == 0 && now() - began > nanos) {
            throw new OverBudgetException("this took more of a processor than it may");
        }
    }

    /// How many steps were made.
    public long steps() {
        return steps;
    }

    /// Has the work end at its next step.
    public void cancel() {
        cancelled = true;
    }

    /// Whether it ends because nobody waits for it, and not because it is too much.
    public boolean isCancelled() {
        return cancelled;
    }

    private static long now() {
        long time = Clock.THREADS.isCurrentThreadCpuTimeSupported() ? Clock.THREADS.getCurrentThreadCpuTime() : -1;
        return time < 0 ? System.nanoTime() : time; // virtual threads have none
    }

    /// Loaded by the first work that needs it: it takes time that a start does not have.
    private static final class Clock {
        static final java.lang.management.ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    }
}
