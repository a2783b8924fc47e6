package dev.sheaf.server.work;

import dev.sheaf.server.db.Database;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A task that an installation runs by itself whenever its time has come: on one node at a time, and on another one
/// where that node dies. The log tells what came of it. Thread-safe.
public final class RecurringTask {
    private static final Logger LOG = LoggerFactory.getLogger(RecurringTask.class);

    /// What comes seldom first comes this soon.
    private static final Duration FIRST = Duration.ofMinutes(15);
    private static final String INSTALLATION = "";

    private final Database database;
    private final String name;
    private final Duration pause;
    private final Task task;
    private final Worker worker;

    /// @param name also for the log
    /// @param pause between the end of one run and the begin of the next; zero: it never runs on this node
    public RecurringTask(Database database, String name, Duration pause, Task task) {
        this.database = database;
        this.name = name;
        this.pause = pause;
        this.task = task;
        this.worker = new Worker(database, name, 1, this::run);
    }

    public void begin() {
        if (pause.isZero()) {
            return;
        }
        var now = database.now();
        var first = pause.compareTo(FIRST) < 0 ? pause : FIRST;
        worker.expect(name, INSTALLATION, now.plus(first), now.plus(pause));
        worker.begin();
    }

    private Instant run(Turn turn) {
        var run = new TaskRun(false, turn::isOver);
        try {
            task.run(run);
        } catch (TaskCancelledException e) {
            LOG.debug("{} was stopped", name);
            return database.now(); // the next node, or the next start, goes on
        }
        var counts = run.report().counts();
        if (counts.values().stream().anyMatch(count -> count > 0)) {
            LOG.info("{}: {}", name, counts);
        }
        return database.now().plus(pause);
    }

    /// Ends a run at its next step, and begins none any more.
    public void stop() {
        worker.stop();
    }

    /// Waits until it has ended.
    ///
    /// @return false where that took longer
    public boolean awaitEnd(Duration longest) {
        return worker.awaitEnd(longest);
    }
}
