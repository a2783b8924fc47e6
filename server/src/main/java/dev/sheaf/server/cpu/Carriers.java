package dev.sheaf.server.cpu;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Adds carriers (the platform threads that run virtual threads) while virtual threads starve. A carrier takes
/// tasks that other threads submit, such as a new connection, only when its own queue is empty (see
/// `ForkJoinPool.topLevelExec`). A hundred connections of one address can keep that queue from ever being empty.
/// With more carriers some have empty queues, and the operating system shares the processors fairly between all.
/// This costs about a third more processor time, so it is done only while something may starve ([#crossing]), and
/// with a few carriers while content moves ([#moving]). Otherwise there is one carrier per processor. Thread-safe.
public final class Carriers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Carriers.class);
    private static final Duration LOOK = Duration.ofMillis(25);
    private static final Duration LATE = Duration.ofMillis(10);
    private static final long CALM_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long CROSSED_NANOS = 4 * LOOK.toNanos();
    // if set, the operator has chosen the number
    private static final String SET = "jdk.virtualThreadScheduler.parallelism";
    private static final int MOVING = 3; // further ones while content moves
    private static final int MAX_EACH = 8; // per processor
    private static final int MAX = 256; // the scheduler's own maximum unless configured otherwise

    private static volatile long crossedAt = System.nanoTime() - CROSSED_NANOS;
    private static volatile long movedAt = crossedAt;

    private final int usual;
    private final int most;
    private final Thread thread;
    private int now;
    private long starvedAt;

    private Carriers() {
        this.usual = Runtime.getRuntime().availableProcessors();
        this.most = Math.max(usual, Math.min(MAX_EACH * usual, MAX));
        this.now = usual;
        this.thread = Thread.ofPlatform().name("carriers").daemon().unstarted(this::run);
        if (System.getProperty(SET) == null) {
            thread.start();
        }
    }

    /// Starts watching the carriers of this process until it is closed. Call it once per process.
    public static Carriers watched() {
        return new Carriers();
    }

    /// Records that a platform thread has woken or started virtual threads: they may starve. Threads that the
    /// network wakes do not starve; they do most of the work of a busy node.
    static void crossing() {
        crossedAt = System.nanoTime();
    }

    /// Records that a virtual thread moves content in large pieces. Such threads yield after each piece, but the queue
    /// of their carrier is never empty. Then the poller starves that wakes the threads of all other connections.
    public static void moving() {
        movedAt = System.nanoTime();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                boolean crossed = System.nanoTime() - crossedAt < CROSSED_NANOS;
                if (crossed) {
                    look();
                }
                boolean moving = System.nanoTime() - movedAt < CROSSED_NANOS;
                int least = moving ? usual + MOVING : usual;
                if (now < least || now > least && (!crossed || System.nanoTime() - starvedAt > CALM_NANOS)) {
                    set(least);
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

    /// Starts a virtual thread as a new connection does, and measures how long it takes to run.
    private void look() throws InterruptedException {
        var begun = new CountDownLatch(1);
        Thread.ofVirtual().name("carriers-look").start(begun::countDown);
        HandOver.follow();
        boolean late = false;
        for (long wait = LATE.toNanos(); !begun.await(wait, TimeUnit.NANOSECONDS); wait *= 2) {
            late = true; // wait longer each time: the carriers just added need their turn of a processor first
            set(Math.min(2 * now, most)); // set it again at the maximum too: another watcher may have lowered it
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

    /// Returns when the usual number is restored, so that this does not undo the setting of the next watcher.
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
