package dev.sheaf.server.work;

import dev.sheaf.server.db.Tx;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/// A node's turn at something that one node at a time does. Thread-safe: one thread does it, others tell it
/// things.
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

    /// Whether it has had so much time.
    boolean isOlder(Duration age) {
        return System.nanoTime() - since >= age.toNanos();
    }

    /// Whether to come to an end: the node stops, others wait for their turn, or another node has taken it.
    public boolean isOver() {
        lock.lock();
        try {
            return over;
        } finally {
            lock.unlock();
        }
    }

    /// Whether that is because the node stops: what was cut short then tells nothing.
    public boolean isStopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    /// To be asked in each transaction that writes what came of it. While the transaction runs, no other node
    /// takes it.
    ///
    /// @return false where another node has it by now: then nothing may be written
    public boolean holds(Tx tx) {
        return WorkRows.holds(tx, kind, name, holder);
    }

    /// Those of several of which the same is so.
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

    /// Gives it back in a transaction that writes what came of it, as something that is done.
    public void done(Tx tx) {
        WorkRows.remove(tx, kind, name, holder);
    }

    /// Whether somebody said since the last call that there is something new to do.
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

    /// Waits until somebody says that there is something new to do, the turn is over, or so long.
    ///
    /// @return whether somebody did; [#wasAsked] says so once more
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

    /// Says that it is this node's from now on.
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
