package dev.sheaf.engine.metrics;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// The tasks that an installation repeats automatically, such as the collector: what the runs on this node did.
/// Thread-safe.
public final class RecurringRuns {
    /// How a run ended; it is stopped if its node stops.
    public enum Result {
        SUCCEEDED,
        FAILED,
        STOPPED
    }

    private final LabeledCounter runs = new LabeledCounter();
    private final LabeledCounter items = new LabeledCounter();
    private final Map<String, Double> successes = new ConcurrentHashMap<>();
    private final Map<String, LongSupplier> running = new ConcurrentHashMap<>();

    /// Adds the counters of a task, so that they exist before its first run.
    public void add(String task) {
        for (var result : Result.values()) {
            runs.of(task, word(result));
        }
    }

    private static String word(Result result) {
        return result.name().toLowerCase(Locale.ROOT);
    }

    /// Notes that a run begins.
    ///
    /// @param progress returns how many units are done
    public void begun(String task, LongSupplier progress) {
        running.put(task, progress);
    }

    /// Notes that a run has ended.
    ///
    /// @param counts the counters of its report
    public void ended(String task, Result result, Map<String, Long> counts, Instant now) {
        running.remove(task);
        runs.of(task, word(result)).increment();
        counts.forEach((item, count) -> items.of(task, item).add(count));
        if (result == Result.SUCCEEDED) {
            successes.put(task, now.toEpochMilli() / (double) TimeUnit.SECONDS.toMillis(1));
        }
    }

    void register(Metrics metrics) {
        metrics.counts("sheaf_recurring_runs_total", "Runs of recurring tasks on this node.", runs, "task", "result");
        metrics.counts(
                "sheaf_recurring_items_total",
                "What the recurring tasks did on this node, by the counters of their reports.",
                items,
                "task",
                "item");
        metrics.gauges(
                "sheaf_recurring_success_seconds",
                "When a recurring task last succeeded on this node, in seconds since 1970.",
                "task",
                () -> successes);
        metrics.gauges(
                "sheaf_recurring_progress",
                "Units that the running recurring task has done, such as rows.",
                "task",
                () -> {
                    var done = new ConcurrentHashMap<String, Double>();
                    running.forEach((task, progress) -> done.put(task, (double) progress.getAsLong()));
                    return done;
                });
    }
}
