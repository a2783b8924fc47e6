package dev.sheaf.engine.db;

import dev.sheaf.engine.db.outage.RootCause;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Throttle;
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

/// A piece of work in a queue: run by a database thread, awaited by its caller.
final class SqliteWork<T extends @Nullable Object> {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteDatabase.class);
    private static final long RETRY_SECONDS = 5;

    private final Function<Tx, T> body;
    private final CompletableFuture<T> done = new CompletableFuture<>();
    private List<DataChange> changes = List.of();
    private @Nullable T result;
    private @Nullable Throwable failure;
    private volatile boolean abandoned;
    private volatile boolean over;

    SqliteWork(Function<Tx, T> body) {
        this.body = body;
    }

    void run(Handle handle, Instant now) {
        var tx = new Tx(handle, SqlDialect.SQLITE, now);
        try {
            result = body.apply(tx);
            tx.settle();
            changes = tx.changes();
        } catch (RuntimeException | Error e) {
            failure = SqliteFailures.translated(e);
            if (failure != e) {
                LOG.error("the disk under the database failed: {}", RootCause.of(e));
                LOG.debug("where it failed", e);
            }
        }
        over = true;
    }

    /// Returns the changes to announce after the commit.
    List<DataChange> changes() {
        return changes;
    }

    /// Returns whether the caller has stopped waiting.
    boolean isAbandoned() {
        return abandoned;
    }

    /// Returns whether the running statement must be aborted, because its caller has stopped waiting.
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

    @SuppressWarnings("NullAway") // null only if T is nullable
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

    /// Waits for the result until the thread is interrupted; the work then ends at its next steps. Not for writes:
    /// their caller must announce the changes.
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
            throw new Problem.Unavailable(Throttle.TIME, "the database took too long; try again", RETRY_SECONDS)
                    .raise();
        }
    }
}
