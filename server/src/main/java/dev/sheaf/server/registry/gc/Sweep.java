package dev.sheaf.server.registry.gc;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.work.TaskRun;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A pass of the collector over rows of one kind, a batch at a time.
public interface Sweep {
    int BATCH = 100;

    /// Where a pass over rows in the order of `look_at` stands.
    record Cursor(Instant lookAt, long first, long second) {
        public static final Cursor START = new Cursor(Instant.EPOCH, 0, 0);
    }

    /// Where a batch begins, and until when rows are due.
    ///
    /// @param after the row after which it begins
    /// @param until rows that became due later wait for the next run, so that each run ends
    record From(Cursor after, Instant until) {
        @Nullable
        From next(@Nullable Cursor next) {
            return next == null ? null : new From(next, until);
        }
    }

    /// What became of one thing.
    ///
    /// @param subject as in [TaskRun.Finding]
    /// @param counts added to the run's
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

    /// What a transaction came to.
    ///
    /// @param looked how many rows it looked at
    /// @param next where the next batch begins; null: there is none
    record Batch(
            List<Decision> decisions, int looked, @Nullable Cursor next) {
        public Batch {
            decisions = List.copyOf(decisions);
        }
    }

    /// Looks at a batch and deletes of it what nothing needs.
    Batch collect(Tx tx, From from);

    /// Deletes what can be deleted: all at once, or one by one where something that this class does not know of
    /// refers to one of them.
    ///
    /// @param deletion deletes one and says what came of it
    /// @return what was deleted, in the same order, each with what came of it
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
        repositories.stream().distinct().forEach(name -> Repositories.announce(tx, RepositoryName.parse(name)));
    }
}
