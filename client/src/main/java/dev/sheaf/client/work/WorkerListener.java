package dev.sheaf.client.work;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Runner;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/// Receives reports from a worker. The worker calls it on its own threads, so it must be thread-safe and fast.
public interface WorkerListener {
    /// Ignores all reports.
    WorkerListener NONE = new WorkerListener() {};

    /// The worker is registered and starts to claim jobs.
    default void registered(UUID worker) {}

    /// The worker ends because no job is due, it does not wait for jobs, and it had none.
    ///
    /// @param queue the queue as it was when the worker started
    default void nothingToDo(Runner.QueueEntry queue) {}

    /// A job was claimed.
    default void claimed(Job job) {}

    /// Jobs failed when this worker was about to get them, because the version of their bundle does not exist. They
    /// count as failed.
    ///
    /// @param queue as it was when the worker started
    default void failedUnclaimed(Runner.QueueEntry queue, int jobs) {}

    /// The only due jobs are jobs that this credential has released; it gets none of them before that time.
    /// Comes before [#nothingToDo].
    default void heldBack(Runner.QueueEntry queue, Instant until) {}

    /// The outcome of a job was reported to the registry.
    ///
    /// @param job as it is after the report: a failed one is `scheduled` if another attempt follows
    default void reported(Job job, Outcome outcome) {}

    /// The work on a job was stopped without reporting an outcome.
    ///
    /// @param why the reason for people, such as `cancelled`
    default void stopped(Job job, String why) {}

    /// A request for jobs failed and will be repeated after the wait.
    default void trouble(SheafException failure, Duration wait) {}

    /// The outcome of a job could not be reported to the registry. Another worker can claim the job once its
    /// lease has expired.
    default void unreported(Job job, SheafException failure) {}
}
