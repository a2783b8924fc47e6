package dev.sheaf.client.work;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Runner;
import java.time.Duration;
import java.util.UUID;

/// Reports what a worker does. Called on the worker's threads; must be thread-safe and fast.
public interface WorkerListener {
    /// Ignores all reports.
    WorkerListener NONE = new WorkerListener() {};

    /// The worker is registered and starts to claim jobs.
    default void registered(UUID worker) {}

    /// The worker ends because no job is due and it does not wait for one.
    ///
    /// @param queue as it was when the worker started
    default void nothingToDo(Runner.QueueEntry queue) {}

    /// A job was claimed.
    default void claimed(Job job) {}

    /// The outcome of a job was reported to the registry.
    default void reported(Job job, Outcome outcome) {}

    /// The work on a job was stopped without reporting an outcome.
    ///
    /// @param why for people, such as `cancelled`
    default void stopped(Job job, String why) {}

    /// The registry cannot be reached for new jobs, and will be asked again.
    default void trouble(SheafException failure, Duration wait) {}

    /// The outcome of a job could not be reported to the registry. The job is handed out again once its lease has
    /// expired.
    default void unreported(Job job, SheafException failure) {}
}
