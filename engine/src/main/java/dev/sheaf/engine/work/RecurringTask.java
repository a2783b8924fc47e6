package dev.sheaf.engine.work;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.metrics.RecurringRuns;
import dev.sheaf.model.ProblemException;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A task that an installation repeats automatically. It runs on one node at a time; if that node dies, another
/// one takes over. The outcome is logged. Thread-safe.
public final class RecurringTask {
    private static final Logger LOG = LoggerFactory.getLogger(RecurringTask.class);

    /// The first run of a rare task starts after this time at the latest.
    private static final Duration FIRST = Duration.ofMinutes(15);
    private static final String INSTALLATION = "";

    private final Database database;
    private final String name;
    private final Duration pause;
    private final Task task;
    private final Worker worker;
    private final RecurringRuns metrics;

    /// @param name also used in the log
    /// @param pause between the end of one run and the start of the next; if zero, it never runs on this node
    /// @param metrics counts the runs
    public RecurringTask(Database database, String name, Duration pause, Task task, RecurringRuns metrics) {
        this.database = database;
        this.name = name;
        this.pause = pause;
        this.task = task;
        this.metrics = metrics;
        metrics.add(name);
        this.worker = new Worker(database, name, 1, this::run);
    }

    public void begin() {
        if (pause.isZero()) {
            return;
        }
        var now = database.now();
        var first = pause.compareTo(FIRST) < 0 ? pause : FIRST;
        try {
            worker.expect(name, INSTALLATION, now.plus(first), now.plus(pause));
        } catch (ProblemException e) {
            if (database.damage().fault().isEmpty()) {
                throw e;
            }
            LOG.debug("{} is not planned, because the database is damaged", name); // the node serves what it can read
        }
        worker.begin();
    }

    private Instant run(WorkClaim claim) {
        var run = new TaskRun(false, claim::isOver);
        var result = RecurringRuns.Result.FAILED;
        metrics.begun(name, () -> run.report().done());
        try {
            task.run(run);
            result = RecurringRuns.Result.SUCCEEDED;
        } catch (TaskCancelledException e) {
            LOG.debug("{} was stopped", name);
            result = RecurringRuns.Result.STOPPED;
            return database.now(); // the next node, or the next start, continues
        } finally {
            metrics.ended(name, result, run.report().counts(), database.now());
        }
        var counts = run.report().counts();
        if (counts.values().stream().anyMatch(count -> count > 0)) {
            LOG.info("{}: {}", name, counts);
        }
        return database.now().plus(pause);
    }

    /// Ends a run at its next step and starts no more.
    public void stop() {
        worker.stop();
    }

    /// Waits until the run has ended.
    ///
    /// @return false if that took longer
    public boolean awaitEnd(Duration longest) {
        return worker.awaitEnd(longest);
    }
}
