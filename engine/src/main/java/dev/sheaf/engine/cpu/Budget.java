package dev.sheaf.engine.cpu;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/// The processor time that a piece of work may use. It is measured as the thread's own time, so a busy machine
/// does not reduce the work that fits into it. The work calls [#check] in its loops, which ends the work even
/// if no code in it reacts to an interrupt. Any thread may call [#cancel]; everything else is for the thread
/// that works.
public final class Budget {
    private static final int CLOCK_EVERY = 16;

    private final long nanos;
    private long began = -1;
    private long lookAt; // the limit cannot be exceeded before this time, so the thread's clock is not read
    private long steps;
    private volatile boolean cancelled;

    private Budget(long nanos) {
        this.nanos = nanos;
    }

    /// @param processor processor time, not elapsed time
    public static Budget of(Duration processor) {
        return new Budget(processor.toNanos());
    }

    /// Checks the budget. Called before each step; a step should take at most a few milliseconds.
    ///
    /// @throws OverBudgetException if the work must end
    public void check() {
        if (cancelled) {
            throw new OverBudgetException("the caller no longer waits for this");
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
                throw new OverBudgetException("this took more processor time than allowed");
            }
            lookAt = now + left;
        }
    }

    /// Returns the number of steps so far.
    public long steps() {
        return steps;
    }

    /// Makes the work end at its next step.
    public void cancel() {
        cancelled = true;
    }

    /// Returns whether the work was cancelled because nobody waits for it, rather than because it exceeded the
    /// limit.
    public boolean isCancelled() {
        return cancelled;
    }

    private static long processor() {
        long time = Clock.THREADS.isCurrentThreadCpuTimeSupported() ? Clock.THREADS.getCurrentThreadCpuTime() : -1;
        return time < 0 ? System.nanoTime() : time; // virtual threads have no processor time
    }

    /// Loaded on first use, to keep it out of the start-up time.
    private static final class Clock {
        static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    }
}
