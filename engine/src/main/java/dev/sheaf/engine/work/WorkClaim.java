package dev.sheaf.engine.work;

import dev.sheaf.engine.db.Tx;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// A piece of work that this node has claimed. Thread-safe: one thread does the work, others announce more of it or
/// end it.
public final class WorkClaim {
    private final String kind;
    private final String name;
    private final String owner;
    private final UUID holder = UUID.randomUUID();
    private final int failures;
    private final long since = System.nanoTime();
    private final Semaphore wakeUps = new Semaphore(0); // has permits if the work must look again, or is over
    private final AtomicBoolean announced = new AtomicBoolean();
    private volatile boolean changed;
    private volatile boolean over;
    private volatile boolean stopped;
    private volatile boolean lost;

    /// @param failures how often in a row the piece has failed
    WorkClaim(String kind, String name, String owner, int failures) {
        this.kind = kind;
        this.name = name;
        this.owner = owner;
        this.failures = failures;
    }

    String kind() {
        return kind;
    }

    public String name() {
        return name;
    }

    public String owner() {
        return owner;
    }

    UUID holder() {
        return holder;
    }

    int failures() {
        return failures;
    }

    boolean isOlder(Duration age) {
        return System.nanoTime() - since >= age.toNanos();
    }

    // --- for the work ---

    /// Returns whether the work must end: the node stops, other pieces wait, or another node has taken over.
    public boolean isOver() {
        return over;
    }

    /// Returns whether the work ends because the node stops. A failure that this caused is not reported.
    public boolean isStopped() {
        return stopped;
    }

    /// Checks that this node still holds the piece. Call it in each transaction that stores a result. No other node
    /// can take over while the transaction runs.
    ///
    /// @return false if another node has taken over: then nothing may be stored
    public boolean holds(Tx tx) {
        return WorkRows.holds(tx, this);
    }

    /// Releases the piece as finished, in the transaction that stores the result.
    public void done(Tx tx) {
        WorkRows.remove(tx, this);
    }

    /// Returns whether more work was announced since the last call. Call it before looking for work.
    public boolean wasAnnounced() {
        wakeUps.drainPermits();
        return announced.getAndSet(false);
    }

    /// Waits until more work is announced, the claim is over, or the time has passed.
    ///
    /// @return false if only the time has passed
    public boolean await(Duration longest) {
        try {
            return wakeUps.tryAcquire(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end();
            return true;
        }
    }

    /// Returns whether something that belongs to the owner was changed since [#readAgain].
    public boolean isChanged() {
        return changed;
    }

    /// Notes that the work now reads again what may have been changed.
    public void readAgain() {
        changed = false;
    }

    // --- for the worker ---

    void announce() {
        announced.set(true);
        wakeUps.release();
    }

    void change() {
        changed = true;
        announce();
    }

    void end() {
        over = true;
        wakeUps.release();
    }

    void stop() {
        stopped = true;
        end();
    }

    void lose() {
        lost = true;
        end();
    }

    boolean isLost() {
        return lost;
    }
}
