package dev.sheaf.client.work;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Runner;
import java.time.Duration;
import java.util.UUID;

/// Hears what a worker does. Is called on the worker's threads, and must be thread-safe and quick.
public interface WorkerListener {
    /// One that does not care.
    WorkerListener NONE = new WorkerListener() {};

    /// The worker is registered and begins to ask for jobs.
    default void registered(UUID worker) {}

    /// The worker ends, since there was no job to do and it does not wait for one.
    ///
    /// @param queue as it was when the worker began
    default void nothingToDo(Runner.QueueEntry queue) {}

    /// A job was claimed.
    default void claimed(Job job) {}

    /// The registry knows what came of a job.
    default void reported(Job job, Outcome outcome) {}

    /// The work on a job was stopped, and nothing is reported of it.
    ///
    /// @param why for people, such as `cancelled`
    default void stopped(Job job, String why) {}

    /// The registry cannot be asked for jobs now, and will be asked again.
    default void trouble(SheafException failure, Duration wait) {}

    /// What came of a job could not be told to the registry. The job is given to somebody once its lease is over.
    default void unreported(Job job, SheafException failure) {}
}
