package dev.sheaf.server.node;

import dev.sheaf.model.ProblemException;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Runs the recurring work of a node. A failure is logged, and the work runs again at its next time. If it fails in
/// the same way again, that is not logged, nor is an outage, which has a line of its own where it was noticed.
/// Thread-safe.
public final class NodeTimer {
    private static final Logger LOG = LoggerFactory.getLogger(NodeTimer.class);

    /// The longest time from the start to the first run. Without it, rare work would never run on a node that
    /// is restarted every day.
    private static final Duration FIRST = Duration.ofMinutes(15);

    private static final Duration LAST = Duration.ofSeconds(2);

    /// Each piece of work has a thread, created when it is needed, so that long work does not delay other work.
    private final ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("timer-", 0).daemon().factory());

    /// @param what the work as the log names it, such as "counting downloads"
    /// @param pause between the end of one run and the start of the next; if zero, the work never runs
    public synchronized void every(String what, Duration pause, Runnable work) {
        if (!pause.isZero()) {
            threads.setCorePoolSize(threads.getCorePoolSize() + 1);
            threads.scheduleWithFixedDelay(
                    quietly(what + " failed; it will be tried again", work),
                    Math.min(pause.toMillis(), FIRST.toMillis()),
                    pause.toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }

    /// Runs the work once, soon.
    public void now(String what, Runnable work) {
        threads.execute(quietly(what + " failed", work));
    }

    private Runnable quietly(String failed, Runnable work) {
        var last = new AtomicReference<>(""); // the failure of the run before; empty if it succeeded
        return () -> {
            try {
                work.run();
                last.set("");
            } catch (RuntimeException | Error e) { // else it would never run again
                String failure = e.toString();
                boolean isKnown = threads.isShutdown() || ProblemException.isUnavailable(e);
                LOG.atLevel(isKnown || failure.equals(last.get()) ? Level.DEBUG : Level.WARN)
                        .setCause(e)
                        .log(failed);
                if (!isKnown) {
                    last.set(failure);
                }
            }
        };
    }

    /// Stops the timer: starts no more work, interrupts running work, and waits two seconds for its end.
    public void stop() {
        threads.shutdownNow();
        try {
            threads.awaitTermination(LAST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
