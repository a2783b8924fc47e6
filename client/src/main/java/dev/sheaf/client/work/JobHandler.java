package dev.sheaf.client.work;

/// Does the work of one job. Is called on a virtual thread of its own, for several jobs at the same time where the
/// worker was told so, and must be thread-safe then.
@FunctionalInterface
public interface JobHandler {
    /// Does the work. The thread is interrupted when the work should stop: the job was cancelled, was given to
    /// another worker, has run for as long as it may, or this worker stops. Then it does not matter what is
    /// returned or thrown, but that it happens soon.
    ///
    /// @return what came of it
    /// @throws Exception fails the job with the code `exception`; it is tried again where tries are left
    Outcome handle(ClaimedJob job) throws Exception;
}
