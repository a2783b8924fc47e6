package dev.sheaf.client.work;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The configuration of a worker.
///
/// @param queue id or slug
/// @param most number of jobs after which it ends
/// @param waits whether it waits for jobs, or ends if none is due
record WorkerPlan(String queue, int concurrency, long most, boolean waits, Identity identity, Rules rules) {
    /// The longest time between heartbeats, however long the lease is.
    static final Duration LONGEST_BEAT = Duration.ofSeconds(30);

    /// The registration of the worker.
    ///
    /// @param instance name that the program chose; a registration with the same name replaces the older one
    record Identity(
            String instance,
            @Nullable String name,
            String type,
            @Nullable Object metadata) {}

    /// How it works on a job.
    record Rules(
            JobHandler handler,
            WorkerListener listener,
            @Nullable Duration lease) {}
}
