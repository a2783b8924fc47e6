package dev.sheaf.engine.work;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One run of a task: its options, and its report so far. Thread-safe: the task writes, others watch.
public final class TaskRun {
    private static final int MAX_FINDINGS = 1_000;

    /// A decision or a discovery about one thing.
    ///
    /// @param subject what it is about, such as `sha256:…` or `acme/notes:1.0.0`
    /// @param reason a clause such as `no row refers to it since 2026-01-01T00:00:00Z`
    public record Finding(String subject, String reason) {}

    /// The progress of a run.
    ///
    /// @param total null if not known yet
    /// @param counts counters by name, sorted
    /// @param findings the first thousand
    /// @param findingsOmitted how many more there were
    public record Report(
            String unit,
            long done,
            @Nullable Long total,
            Map<String, Long> counts,
            List<Finding> findings,
            long findingsOmitted) {
        public Report {
            counts = Collections.unmodifiableMap(new TreeMap<>(counts));
            findings = List.copyOf(findings);
        }
    }

    private final boolean dryRun;
    private final BooleanSupplier over;
    private final Map<String, Long> counts = new TreeMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private long findingsOmitted;
    private String unit = "steps";
    private long done;
    private @Nullable Long total;
    private volatile boolean cancelled;

    public TaskRun(boolean dryRun) {
        this(dryRun, () -> false);
    }

    /// @param over whether the run should end at its next checkpoint, even if it was not cancelled
    public TaskRun(boolean dryRun, BooleanSupplier over) {
        this.dryRun = dryRun;
        this.over = over;
    }

    /// Returns true if nothing may be changed.
    public boolean isDryRun() {
        return dryRun;
    }

    /// Sets how much there is to do.
    ///
    /// @param units in the plural, such as `objects`
    public synchronized void expect(long count, String units) {
        total = count;
        unit = units;
    }

    /// Adds to the number of units that are done.
    public synchronized void advance(long count) {
        done += count;
    }

    /// Adds to a counter such as `linksRemoved`. The name is in camel case, as in the report.
    public synchronized void count(String name, long more) {
        counts.merge(name, more, Long::sum);
    }

    /// Records a decision with its reason. Only the first thousand are kept; more are only counted.
    public synchronized void find(String subject, String reason) {
        if (findings.size() < MAX_FINDINGS) {
            findings.add(new Finding(subject, reason));
        } else {
            findingsOmitted++;
        }
    }

    /// Ends a run that was cancelled or is over. Tasks call it between steps.
    ///
    /// @throws TaskCancelledException if the run must end
    public void checkpoint() {
        if (cancelled || over.getAsBoolean()) {
            throw new TaskCancelledException();
        }
    }

    /// Asks the run to end at its next checkpoint.
    public void cancel() {
        cancelled = true;
    }

    public synchronized Report report() {
        return new Report(unit, done, total, counts, findings, findingsOmitted);
    }
}
