package dev.sheaf.server.webhook;

import dev.sheaf.server.work.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Results of one webhook's deliveries that are not stored yet. A [Scribe] stores them while the next event is
/// being sent. If a node dies, events whose results were not stored are delivered again. Used by one courier.
final class Ledger {
    /// Results that may wait to be stored. The same number may be in the process of being stored.
    private static final int MOST = 8;

    private final Scribe scribe;
    private final Turn turn;
    private final UUID webhook;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private List<Entry> open = new ArrayList<>();
    private boolean writing; // true also if storing is about to start
    private @Nullable RuntimeException failure;

    /// @param progress the progress of the webhook after this delivery
    /// @param replayed for a replayed event: the event, and the last event of the replay
    record Entry(
            DeliveryRow delivery,
            DeliveryRow.Attempt attempt,
            Progress progress,
            @Nullable Replayed replayed) {}

    record Replayed(long event, long end) {}

    Ledger(Scribe scribe, Turn turn, UUID webhook) {
        this.scribe = scribe;
        this.turn = turn;
        this.webhook = webhook;
    }

    Turn turn() {
        return turn;
    }

    UUID webhook() {
        return webhook;
    }

    /// @throws LostTurnException if another node has taken over the webhook
    void add(Entry entry) {
        boolean first;
        lock.lock();
        try {
            while (open.size() >= MOST && failure == null) {
                changed.awaitUninterruptibly();
            }
            check();
            open.add(entry);
            first = !writing;
            writing = true;
        } finally {
            lock.unlock();
        }
        if (first) {
            scribe.write(this);
        }
    }

    /// Waits until everything is stored.
    ///
    /// @throws LostTurnException if another node has taken over the webhook
    void flush() {
        lock.lock();
        try {
            while (writing && failure == null) {
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

    // --- for the scribe, which stores one batch at a time ---

    List<Entry> take() {
        lock.lock();
        try {
            var entries = open;
            open = new ArrayList<>();
            changed.signalAll();
            return entries;
        } finally {
            lock.unlock();
        }
    }

    /// @return whether more results arrived meanwhile, which have to be stored next
    boolean wrote() {
        lock.lock();
        try {
            writing = !open.isEmpty();
            changed.signalAll();
            return writing;
        } finally {
            lock.unlock();
        }
    }

    void failed(RuntimeException why) {
        lock.lock();
        try {
            failure = why;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Another node has taken over the webhook, or the webhook was deleted.
    static final class LostTurnException extends RuntimeException {
        private static final long serialVersionUID = 1;

        LostTurnException() {
            super("another node has it", null, false, false);
        }
    }
}
