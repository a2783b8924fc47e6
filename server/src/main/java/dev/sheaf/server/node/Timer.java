package dev.sheaf.server.node;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs a node's work that recurs. What fails is logged and done again when its time comes. Thread-safe.
public final class Timer {
    private static final Logger LOG = LoggerFactory.getLogger(Timer.class);

    /// What comes seldom begins this soon after the start, or a node that is restarted every day would never do it.
    private static final Duration FIRST = Duration.ofMinutes(15);

    private static final Duration LAST = Duration.ofSeconds(2);

    /// A thread for each, made when it is needed, so that work that takes long holds nothing else up.
    private final ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("timer-", 0).daemon().factory());

    /// @param pause between the end of one run and the begin of the next; zero: it never runs
    public synchronized void every(Duration pause, Runnable work) {
        if (!pause.isZero()) {
            threads.setCorePoolSize(threads.getCorePoolSize() + 1);
            threads.scheduleWithFixedDelay(
                    quietly(work),
                    Math.min(pause.toMillis(), FIRST.toMillis()),
                    pause.toMillis(),
                    TimeUnit.MILLISECONDS);
        }
    }

    /// Runs work once, soon.
    public void now(Runnable work) {
        threads.execute(quietly(work));
    }

    private Runnable quietly(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                if (threads.isShutdown()) {
                    LOG.debug("background work was cut short", e);
                } else {
                    LOG.warn("background work failed; it will be tried again", e);
                }
            }
        };
    }

    /// Begins nothing more, interrupts what runs, and gives it a moment to end: what it stands on is closed next.
    public void stop() {
        threads.shutdownNow();
        try {
            threads.awaitTermination(LAST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
