package dev.sheaf.server.db;

import dev.sheaf.model.Problem;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One piece of work on its way through a queue: run by a database thread, awaited by its caller.
final class SqliteWork<T extends @Nullable Object> {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteDatabase.class);
    private static final long RETRY_SECONDS = 5;

    private final Function<Tx, T> body;
    private final CompletableFuture<T> done = new CompletableFuture<>();
    private List<Change> changes = List.of();
    private @Nullable T result;
    private @Nullable Throwable failure;
    private volatile boolean abandoned;
    private volatile boolean over;

    SqliteWork(Function<Tx, T> body) {
        this.body = body;
    }

    void run(Handle handle, Instant now) {
        var tx = new Tx(handle, Dialect.SQLITE, now);
        try {
            result = body.apply(tx);
            tx.settle();
            changes = tx.changes();
        } catch (RuntimeException | Error e) {
            failure = SqliteFailures.told(e);
            if (failure != e) {
                LOG.error("the disk under the database failed", e);
            }
        }
        over = true;
    }

    /// What is to be announced once it is committed.
    List<Change> changes() {
        return changes;
    }

    /// Whether nobody waits for it any more.
    boolean isAbandoned() {
        return abandoned;
    }

    /// Whether a statement is at work that nobody waits for.
    boolean isToEnd() {
        return abandoned && !over;
    }

    boolean failed() {
        return failure != null;
    }

    void fail(Throwable cause) {
        failure = failure == null ? cause : failure;
        done.completeExceptionally(failure);
    }

    @SuppressWarnings("NullAway") // null exactly where T is nullable
    void succeed() {
        if (failure != null) {
            done.completeExceptionally(failure);
        } else {
            done.complete(result);
        }
    }

    T await() {
        try {
            return done.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /// Waits no longer when interrupted, and has the work end at its next steps. Not for writes, whose changes must
    /// be announced by whoever waits.
    T awaitInTime() {
        try {
            return done.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new CompletionException(e.getCause());
        } catch (InterruptedException e) {
            abandoned = true;
            Thread.currentThread().interrupt();
            throw new Problem.Unavailable("the database took too long", RETRY_SECONDS).raise();
        }
    }
}
