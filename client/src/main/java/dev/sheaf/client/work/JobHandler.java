package dev.sheaf.client.work;

/// Does the work of a job. Called on its own virtual thread, for several jobs at the same time if the worker has a
/// concurrency above one; it must be thread-safe then.
@FunctionalInterface
public interface JobHandler {
    /// Does the work. The thread is interrupted when the work has to stop: the job was cancelled or given to
    /// another worker, has reached its timeout, or this worker stops. The handler should then return soon; its
    /// result is ignored.
    ///
    /// @return the outcome
    /// @throws Exception fails the job with the code `exception`; it is retried if attempts are left
    Outcome handle(ClaimedJob job) throws Exception;
}
