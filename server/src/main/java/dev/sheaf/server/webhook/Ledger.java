package dev.sheaf.server.webhook;

import dev.sheaf.server.db.Database;
import dev.sheaf.server.work.Turn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Writes down what came of deliveries while the next one is on its way: what comes during a commit shares the
/// next. What is not written when a node dies is delivered again. For one courier.
final class Ledger implements AutoCloseable {
    /// So much waits at most to be written; as much again is being written meanwhile.
    private static final int MOST = 8;

    private final Database database;
    private final Turn turn;
    private final UUID webhook;
    private final Semaphore writes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private List<Entry> open = new ArrayList<>();
    private boolean writing;
    private boolean closed;
    private @Nullable RuntimeException failure;

    /// @param progress of the webhook after it
    /// @param replayed where it was sent once more: up to which event that is, and up to which it goes
    record Entry(
            DeliveryRow delivery,
            DeliveryRow.Attempt attempt,
            Progress progress,
            @Nullable Replayed replayed) {}

    record Replayed(long event, long end) {}

    /// @param writes how many couriers may write at one time: more comes together for those who wait, and the
    /// connections are the requests'
    Ledger(Database database, Turn turn, UUID webhook, Semaphore writes) {
        this.database = database;
        this.turn = turn;
        this.webhook = webhook;
        this.writes = writes;
        Thread.ofVirtual().name("webhook-ledger").start(this::run);
    }

    /// @throws LostTurnException where another node has the webhook by now
    void add(Entry entry) {
        lock.lock();
        try {
            while (open.size() >= MOST && failure == null) {
                changed.awaitUninterruptibly();
            }
            check();
            open.add(entry);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until all is written.
    ///
    /// @throws LostTurnException where another node has the webhook by now
    void flush() {
        lock.lock();
        try {
            while ((writing || !open.isEmpty()) && failure == null) {
                changed.awaitUninterruptibly();
            }
            check();
        } finally {
            lock.unlock();
        }
    }

    private void check() {
        if (failure != null) {
            throw failure;
        }
    }

    private void run() {
        while (awaitAny()) {
            writes.acquireUninterruptibly();
            try {
                write(take());
                wrote();
            } catch (RuntimeException e) {
                failed(e);
                return;
            } finally {
                writes.release();
            }
        }
    }

    /// Waits for entries.
    ///
    /// @return false where it is closed, and none is left
    private boolean awaitAny() {
        lock.lock();
        try {
            while (open.isEmpty() && !closed) {
                changed.awaitUninterruptibly();
            }
            return !open.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private List<Entry> take() {
        lock.lock();
        try {
            var entries = open;
            open = new ArrayList<>();
            writing = true;
            changed.signalAll();
            return entries;
        } finally {
            lock.unlock();
        }
    }

    private void failed(RuntimeException why) {
        lock.lock();
        try {
            failure = why;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void wrote() {
        lock.lock();
        try {
            writing = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void write(List<Entry> entries) {
        var deliveries = new LinkedHashMap<UUID, DeliveryRow>(); // the last of each
        entries.forEach(entry -> deliveries.put(entry.delivery().id(), entry.delivery()));
        database.write(tx -> {
            if (!turn.holds(tx) || !WebhookRows.keep(tx, webhook)) {
                throw new LostTurnException();
            }
            DeliveryRows.save(tx, deliveries.values());
            DeliveryRows.add(tx, entries.stream().map(Entry::attempt).toList());
            WebhookRows.progress(tx, webhook, entries.getLast().progress());
            entries.stream()
                    .map(Entry::replayed)
                    .filter(Objects::nonNull)
                    .reduce((before, last) -> last)
                    .ifPresent(its -> WebhookRows.replayed(tx, webhook, its.event(), its.end()));
            return tx;
        });
    }

    /// Another node has the webhook by now, or nobody: it is gone.
    static final class LostTurnException extends RuntimeException {
        private static final long serialVersionUID = 1;

        LostTurnException() {
            super("another node has it", null, false, false);
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
