package dev.sheaf.server.work;

import dev.sheaf.server.db.Tx;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/// A node's turn at work that one node at a time does. Thread-safe: one thread does the work, others send it
/// requests.
public final class Turn {
    private final String kind;
    private final String name;
    private final String owner;
    private final UUID holder;
    private final long since = System.nanoTime();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition told = lock.newCondition();
    private boolean asked;
    private boolean over;
    private boolean stopped;
    private volatile boolean claimed;
    private volatile boolean lost;

    Turn(String kind, String name, String owner, UUID holder) {
        this.kind = kind;
        this.name = name;
        this.owner = owner;
        this.holder = holder;
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

    /// Returns whether the turn is older than this.
    boolean isOlder(Duration age) {
        return System.nanoTime() - since >= age.toNanos();
    }

    /// Returns whether the turn must end: the node stops, others wait for their turn, or another node has taken
    /// over.
    public boolean isOver() {
        lock.lock();
        try {
            return over;
        } finally {
            lock.unlock();
        }
    }

    /// Returns whether the turn ends because the node stops. A failure that this caused is not reported.
    public boolean isStopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    /// Checks that this node still has the turn. Call it in each transaction that stores a result. No other
    /// node can take over while the transaction runs.
    ///
    /// @return false if another node has taken over: then nothing may be stored
    public boolean holds(Tx tx) {
        return WorkRows.holds(tx, kind, name, holder);
    }

    /// Returns the turns that this node still has; see [#holds].
    public static Set<Turn> holding(Tx tx, Collection<Turn> turns) {
        var kinds = turns.stream().collect(Collectors.groupingBy(turn -> turn.kind));
        var holders = kinds.entrySet().stream()
                .flatMap(each -> WorkRows.holding(
                        tx,
                        each.getKey(),
                        each.getValue().stream().map(Turn::name).toList(),
                        each.getValue().stream().map(Turn::holder).toList())
                        .stream())
                .collect(Collectors.toSet());
        return turns.stream().filter(turn -> holders.contains(turn.holder)).collect(Collectors.toSet());
    }

    /// Releases the turn as finished, in the transaction that stores the result.
    public void done(Tx tx) {
        WorkRows.remove(tx, kind, name, holder);
    }

    /// Returns whether new work was announced since the last call.
    public boolean wasAsked() {
        lock.lock();
        try {
            boolean was = asked;
            asked = false;
            return was;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until new work is announced, the turn is over, or the time has passed.
    ///
    /// @return whether new work was announced; [#wasAsked] reports it again
    public boolean await(Duration longest) {
        lock.lock();
        try {
            long left = longest.toNanos();
            while (!asked && !over && left > 0) {
                left = told.awaitNanos(left);
            }
            return asked;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            over = true;
            return false;
        } finally {
            lock.unlock();
        }
    }

    void ask() {
        lock.lock();
        try {
            asked = true;
            told.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void end() {
        lock.lock();
        try {
            over = true;
            told.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void stop() {
        lock.lock();
        try {
            stopped = true;
        } finally {
            lock.unlock();
        }
        end();
    }

    /// Marks the turn as held by this node from now on.
    void claimed() {
        claimed = true;
    }

    boolean isClaimed() {
        return claimed;
    }

    void lose() {
        lost = true;
        end();
    }

    boolean isLost() {
        return lost;
    }
}
