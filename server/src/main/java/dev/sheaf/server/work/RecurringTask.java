package dev.sheaf.server.work;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A task that a node runs by itself whenever its time has come; the log tells what came of it. Thread-safe; while
/// it runs, another call does nothing.
public final class RecurringTask implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(RecurringTask.class);

    private final String name;
    private final Task task;
    private boolean stopped;
    private @Nullable TaskRun running;

    /// @param name for the log
    public RecurringTask(String name, Task task) {
        this.name = name;
        this.task = task;
    }

    @Override
    public void run() {
        var run = begin();
        if (run == null) {
            return;
        }
        try {
            task.run(run);
            var counts = run.report().counts();
            if (counts.values().stream().anyMatch(count -> count > 0)) {
                LOG.info("{}: {}", name, counts);
            }
        } catch (TaskCancelledException e) {
            LOG.debug("{} was stopped", name);
        } finally {
            end();
        }
    }

    private synchronized @Nullable TaskRun begin() {
        if (stopped || running != null) {
            return null;
        }
        running = new TaskRun(false);
        return running;
    }

    private synchronized void end() {
        running = null;
    }

    /// Ends a run at its next step, and begins none any more.
    public synchronized void stop() {
        stopped = true;
        if (running != null) {
            running.cancel();
        }
    }
}
