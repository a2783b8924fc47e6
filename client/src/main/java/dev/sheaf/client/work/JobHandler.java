package dev.sheaf.client.work;

/// Does the work of a job. Each job has its own virtual thread. If the worker has a concurrency above one, it
/// calls the handler for several jobs at the same time; the handler must then be thread-safe.
@FunctionalInterface
public interface JobHandler {
    /// Does the work. The thread is interrupted when the work has to stop: the job was cancelled or given to
    /// another worker, has reached its timeout, or this worker stops. The handler should then return soon; its
    /// result is ignored. It may throw a [StoppedException] that says how far the work was.
    ///
    /// @return the outcome
    /// @throws Exception fails the job with the code `exception`; it is retried if attempts are left
    Outcome handle(ClaimedJob job) throws Exception;
}
