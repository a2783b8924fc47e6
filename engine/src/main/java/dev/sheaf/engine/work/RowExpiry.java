package dev.sheaf.engine.work;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Deletes rows of one kind that are past their retention time, in small transactions, so that other writers need
/// not wait.
public final class RowExpiry implements Task {
    /// How many rows a transaction looks at.
    public static final int AT_ONCE = 500;

    /// A part of the work.
    @FunctionalInterface
    public interface Step {
        /// Deletes at most `limit` of the rows from before a moment.
        ///
        /// @return how many; fewer than `limit` if no more are due
        int remove(Tx tx, Instant before, int limit);
    }

    private final Database database;
    private final String count;
    private final Duration kept;
    private final Step step;

    /// @param count the counter of deleted rows in the report
    public RowExpiry(Database database, String count, Duration kept, Step step) {
        this.database = database;
        this.count = count;
        this.kept = kept;
        this.step = step;
    }

    /// Returns a list with the task; empty if the rows are kept forever.
    ///
    /// @param kept how long the rows are kept; null to keep them forever
    public static List<Task> of(Database database, String count, @Nullable Duration kept, Step step) {
        return kept == null ? List.of() : List.of(new RowExpiry(database, count, kept, step));
    }

    @Override
    public void run(TaskRun run) {
        int removed;
        do {
            run.checkpoint();
            removed = database.write(tx -> step.remove(tx, tx.now().minus(kept), AT_ONCE));
            run.count(count, removed);
        } while (removed >= AT_ONCE);
    }
}
