package dev.sheaf.server.db.pipeline;

import dev.sheaf.model.Problem;
import dev.sheaf.server.cpu.CpuAccount;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Shares the connections of a pool among groups such as organizations. A group that holds half of them gets
/// another one only while more than a quarter is free, so slow transactions of one group never hold all. All strangers
/// together have this limit, or many addresses would hold all connections. All newcomers together have it from a
/// quarter
/// on, or many wrong credentials would. Of the groups that wait, the one that holds the fewest is next. Thread-safe.
public final class Shares {
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final Object NODE = "node"; // the group of work outside of requests, which has no limit

    private static final class Group {
        final ArrayDeque<Semaphore> waiting = new ArrayDeque<>();
        final boolean limited;
        final boolean strange;
        final boolean isNew;
        int held;

        Group(Object key) {
            this.limited = !key.equals(NODE);
            this.strange = key instanceof CpuAccount.Stranger;
            this.isNew = key instanceof CpuAccount.Newcomer;
        }
    }

    private final int half;
    private final int quarter;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Object, Group> groups = new LinkedHashMap<>();
    private int free;
    private int strangers; // what they hold
    private int newcomers;

    /// @param connections their number
    public Shares(int connections) {
        this.half = Math.max(1, connections / 2);
        this.quarter = Math.max(1, connections / 4);
        this.free = connections;
    }

    /// Runs work that needs a connection when it is the group's turn.
    ///
    /// @param group a [CpuAccount.Stranger] for a caller without a credential, a [CpuAccount.Newcomer] while it is
    /// checked; null for work of the node itself
    /// @throws dev.sheaf.model.ProblemException unavailable after five seconds without a connection
    public <T extends @Nullable Object> T run(@Nullable Object group, Supplier<T> work) {
        var its = group == null ? NODE : group;
        enter(its);
        try {
            return work.get();
        } finally {
            leave(its);
        }
    }

    private void enter(Object key) {
        var turn = new Semaphore(0);
        lock.lock();
        try {
            var group = groups.computeIfAbsent(key, Group::new);
            if (mayTake(group)) {
                move(group, 1);
                return;
            }
            group.waiting.add(turn);
        } finally {
            lock.unlock();
        }
        await(key, turn);
    }

    private void await(Object key, Semaphore turn) {
        try {
            if (!turn.tryAcquire(LONGEST.toMillis(), TimeUnit.MILLISECONDS) && gaveUp(key, turn)) {
                throw new Problem.Unavailable("the database is too busy; try again", 1).raise();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (!gaveUp(key, turn)) {
                leave(key);
            }
            throw new Problem.Unavailable("the wait for the database was interrupted; try again", 1).raise();
        }
    }

    /// Returns false if the turn has come in the meantime.
    private boolean gaveUp(Object key, Semaphore turn) {
        lock.lock();
        try {
            var group = groups.get(key);
            boolean gone = group != null && group.waiting.remove(turn);
            forget(key, group);
            return gone;
        } finally {
            lock.unlock();
        }
    }

    private void leave(Object key) {
        lock.lock();
        try {
            var group = groups.get(key);
            if (group != null) {
                move(group, -1);
            }
            forget(key, group);
            for (var next = next(); next != null; next = next()) {
                move(next, 1);
                next.waiting.remove().release();
            }
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Group next() {
        Group best = null;
        for (var group : groups.values()) {
            if (!group.waiting.isEmpty() && (best == null || rank(group) < rank(best)) && mayTake(group)) {
                best = group;
            }
        }
        return best;
    }

    /// Returns what a group holds; the node itself comes first while it holds less than a quarter.
    private int rank(Group group) {
        return group.limited ? group.held : group.held - quarter;
    }

    private boolean mayTake(Group group) {
        boolean mayHoldMore = group.isNew ? newcomers < quarter : (group.strange ? strangers : group.held) < half;
        return free > (mayHoldMore || !group.limited ? 0 : quarter);
    }

    private void move(Group group, int connections) {
        group.held += connections;
        strangers += group.strange ? connections : 0;
        newcomers += group.isNew ? connections : 0;
        free -= connections;
    }

    private void forget(Object key, @Nullable Group group) {
        if (group != null && group.held == 0 && group.waiting.isEmpty()) {
            groups.remove(key);
        }
    }

    /// Returns how many wait.
    public int waiting() {
        lock.lock();
        try {
            return groups.values().stream()
                    .mapToInt(group -> group.waiting.size())
                    .sum();
        } finally {
            lock.unlock();
        }
    }
}
