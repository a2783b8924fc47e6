package dev.sheaf.server.cpu;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Adds threads that carry virtual ones (carriers) while these starve. A carrier looks at what other threads
/// wake, such as a new connection, only when its own line is empty (see `ForkJoinPool.topLevelExec`). A hundred
/// connections of one address can keep it from ever being empty. With more carriers some find their lines
/// empty, and the operating system shares the processors fairly between all. That costs a third more of them,
/// so it is done only while something may starve ([#crossing]); else there is one carrier for each processor.
/// Thread-safe.
public final class Carriers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Carriers.class);
    private static final Duration LOOK = Duration.ofMillis(25);
    private static final Duration LATE = Duration.ofMillis(10);
    private static final long CALM_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long CROSSED_NANOS = 4 * LOOK.toNanos();
    private static final String SET = "jdk.virtualThreadScheduler.parallelism"; // then it is as it was asked for
    private static final int MOST_EACH = 8; // a processor
    private static final int MOST = 256; // the scheduler takes no more, unless it is set otherwise

    private static volatile long crossedAt = System.nanoTime() - CROSSED_NANOS;

    private final int usual;
    private final int most;
    private final Thread thread;
    private int now;
    private long starvedAt;

    private Carriers() {
        this.usual = Runtime.getRuntime().availableProcessors();
        this.most = Math.max(usual, Math.min(MOST_EACH * usual, MOST));
        this.now = usual;
        this.thread = Thread.ofPlatform().name("carriers").daemon().unstarted(this::run);
        if (System.getProperty(SET) == null) {
            thread.start();
        }
    }

    /// Begins to watch over those of this process, until it ends or this is closed; to be called once.
    public static Carriers watched() {
        return new Carriers();
    }

    /// To be called where a virtual thread is about to wait for a thread of another kind, or is started by one,
    /// as either may starve. What the network wakes does not, and is most of what a busy node does.
    public static void crossing() {
        crossedAt = System.nanoTime();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                boolean crossed = System.nanoTime() - crossedAt < CROSSED_NANOS;
                if (crossed) {
                    look();
                }
                if (now != usual && (!crossed || System.nanoTime() - starvedAt > CALM_NANOS)) {
                    set(usual);
                }
                Thread.sleep(LOOK);
            }
        } catch (InterruptedException e) {
            LOG.debug("closed", e);
        } finally {
            if (now != usual) {
                set(usual);
            }
        }
    }

    /// Starts a virtual thread as a new connection does, and sees how long that takes.
    private void look() throws InterruptedException {
        var begun = new CountDownLatch(1);
        Thread.ofVirtual().name("carriers-look").start(begun::countDown);
        boolean late = false;
        for (long wait = LATE.toNanos(); !begun.await(wait, TimeUnit.NANOSECONDS); wait *= 2) {
            late = true; // and a carrier that was added has to have had its turn of a processor before more are
            set(Math.min(2 * now, most)); // at the most, too: another watcher may have lowered it
        }
        if (late) {
            starvedAt = System.nanoTime();
        }
    }

    private void set(int count) {
        var scheduler = ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
        LOG.debug("{} carriers, {} before", count, now);
        scheduler.setParallelism(count);
        now = count;
    }

    /// Ends when the usual number carries again: the next one that watches must not be undone by that.
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
