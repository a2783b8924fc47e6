package dev.sheaf.server.cpu;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/// What a piece of work may take of a processor, counted in the time of its thread, so that a busy machine changes
/// nothing in what can be done. The work is written in steps and calls [#check] in its loops: that ends it, also
/// where nothing in it heeds an interrupt. [#cancel] may be called by any thread, the rest is for the one that works.
public final class Budget {
    private static final int CLOCK_EVERY = 16;

    private final long nanos;
    private long began = -1;
    private long lookAt; // no more of the processor than time can have passed before
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
        if (steps++ % CLOCK_EVERY == 0) {
            look();
        }
    }

    private void look() {
        long now = System.nanoTime();
        if (began < 0) {
            began = processor();
            lookAt = now + nanos;
        } else if (now - lookAt > 0) {
            long left = nanos - (processor() - began);
            if (left < 0) {
                throw new OverBudgetException("this took more of a processor than it may");
            }
            lookAt = now + left;
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

    private static long processor() {
        long time = Clock.THREADS.isCurrentThreadCpuTimeSupported() ? Clock.THREADS.getCurrentThreadCpuTime() : -1;
        return time < 0 ? System.nanoTime() : time; // virtual threads have none
    }

    /// Loaded by the first work that needs it: it takes time that a start does not have.
    private static final class Clock {
        static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    }
}
