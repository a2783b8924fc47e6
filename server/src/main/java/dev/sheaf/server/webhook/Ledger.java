package dev.sheaf.server.webhook;

import dev.sheaf.server.work.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What came of the deliveries of one webhook and is not written down yet. A [Scribe] does so while the next one is on
/// its way. What is not written when a node dies is delivered again. For one courier.
final class Ledger {
    /// So much waits at most to be written; as much again is being written meanwhile.
    private static final int MOST = 8;

    private final Scribe scribe;
    private final Turn turn;
    private final UUID webhook;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private List<Entry> open = new ArrayList<>();
    private boolean writing; // or about to be
    private @Nullable RuntimeException failure;

    /// @param progress of the webhook after it
    /// @param replayed where it was sent once more: up to which event that is, and up to which it goes
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

    /// @throws LostTurnException where another node has the webhook by now
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

    /// Waits until all is written.
    ///
    /// @throws LostTurnException where another node has the webhook by now
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

    // --- for the scribe, who writes one lot of it at a time ---

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

    /// @return whether more has come meanwhile, which is to be written next
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

    /// Another node has the webhook by now, or nobody: it is gone.
    static final class LostTurnException extends RuntimeException {
        private static final long serialVersionUID = 1;

        LostTurnException() {
            super("another node has it", null, false, false);
        }
    }
}
