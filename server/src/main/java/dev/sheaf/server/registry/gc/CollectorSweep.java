package dev.sheaf.server.registry.gc;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.registry.Repositories;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A pass of the collector over rows of one kind, in batches.
public interface CollectorSweep {
    int BATCH = 100;

    /// The position of a pass over rows in the order of `look_at`.
    record Cursor(Instant lookAt, long first, long second) {
        public static final Cursor START = new Cursor(Instant.EPOCH, 0, 0);
    }

    /// Where a batch starts, and which rows are due.
    ///
    /// @param after the row before the batch
    /// @param until rows that become due later wait for the next run, so that each run ends
    record From(Cursor after, Instant until) {
        @Nullable
        From next(@Nullable Cursor next) {
            return next == null ? null : new From(next, until);
        }

        /// Returns when to look again at a row: not in this run, which otherwise would not end after the clock was
        /// set back.
        Instant beyond(Instant look) {
            return look.isAfter(until) ? look : until.plusMillis(1);
        }
    }

    /// The outcome for one item.
    ///
    /// @param subject as in [TaskRun.Finding]
    /// @param counts counts that are added to the counts of the run
    record Decision(String subject, String reason, List<Count> counts) {
        public Decision {
            counts = List.copyOf(counts);
        }

        void tell(TaskRun run) {
            run.find(subject, reason);
            counts.forEach(count -> run.count(count.name(), count.more()));
        }
    }

    record Count(String name, long more) {}

    /// The result of a transaction.
    ///
    /// @param looked how many rows it examined
    /// @param next where the next batch starts; null if there is none
    record Batch(
            List<Decision> decisions, int looked, @Nullable Cursor next) {
        public Batch {
            decisions = List.copyOf(decisions);
        }
    }

    /// Examines a batch and deletes what nothing needs.
    Batch collect(Tx tx, From from);

    /// Deletes items: all at once, or one by one if something unknown to this class refers to one of them.
    ///
    /// @param deletion deletes one item and returns the result
    /// @return the deleted items, in the same order, each with its result
    static <T, R> Map<T, R> delete(Tx tx, List<T> items, Function<T, R> deletion) {
        var deleted = new LinkedHashMap<T, R>();
        if (!tx.attempt(() -> items.forEach(item -> deleted.put(item, deletion.apply(item))))) {
            deleted.clear();
            for (T item : items) {
                tx.attempt(() -> deleted.put(item, deletion.apply(item)));
            }
        }
        return deleted;
    }

    static void announce(Tx tx, List<String> repositories) {
        repositories.stream().distinct().forEach(name -> Repositories.announce(tx, RepositoryName.parseAny(name)));
    }
}
