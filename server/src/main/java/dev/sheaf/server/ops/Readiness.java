package dev.sheaf.server.ops;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Whether a node can serve requests: it reaches its database and its blob store, and hears of other nodes. Each is
/// asked at most every few seconds however often anybody wants to know, and one that does not answer within two counts
/// as not reached. Thread-safe.
public final class Readiness {
    private static final long WAIT_SECONDS = 2;

    private final Probe database;
    private final Probe store;
    private final BooleanSupplier hears;

    /// @param hears whether this node hears what others change
    /// @param database throws where the database does not answer
    /// @param store throws where the blob store does not
    public Readiness(BooleanSupplier hears, Runnable database, Runnable store) {
        this.hears = hears;
        this.database = new Probe(database, TimeUnit.SECONDS.toNanos(1));
        this.store = new Probe(store, TimeUnit.SECONDS.toNanos(5));
    }

    /// What this node cannot do; empty where all is well.
    public Optional<String> fault() {
        if (!database.isUp()) {
            return Optional.of("reach its database");
        }
        if (!hears.getAsBoolean()) {
            return Optional.of("hear what other nodes change");
        }
        return store.isUp() ? Optional.empty() : Optional.of("reach its blob store");
    }

    /// One thing that is asked, on a thread of its own: a disk that hangs takes that one with it and no other.
    private static final class Probe {
        private final Runnable question;
        private final long freshNanos;
        private @Nullable CompletableFuture<Void> answer;
        private long askedAt;

        Probe(Runnable question, long freshNanos) {
            this.question = question;
            this.freshNanos = freshNanos;
        }

        boolean isUp() {
            try {
                ask().get(WAIT_SECONDS, TimeUnit.SECONDS);
                return true;
            } catch (ExecutionException | TimeoutException e) {
                return false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        private synchronized CompletableFuture<Void> ask() {
            long now = System.nanoTime();
            var last = answer;
            if (last != null && (!last.isDone() || now - askedAt < freshNanos)) {
                return last;
            }
            askedAt = now;
            var asked = CompletableFuture.runAsync(
                    question,
                    work -> Thread.ofPlatform().name("readiness").daemon().start(work));
            answer = asked;
            return asked;
        }
    }
}
