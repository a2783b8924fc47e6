package dev.sheaf.client.work;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The configuration of a worker.
///
/// @param queue an id or a slug
/// @param most the number of jobs after which the worker ends
/// @param waits whether it waits for jobs; otherwise it ends if no job is due
record WorkerPlan(String queue, int concurrency, long most, boolean waits, Identity identity, Rules rules) {
    /// The longest time between heartbeats, even for a long lease.
    static final Duration LONGEST_BEAT = Duration.ofSeconds(30);

    /// The registration of the worker.
    ///
    /// @param instance a name that the program chose; a registration with the same name replaces the older one
    record Identity(
            String instance,
            @Nullable String name,
            String type,
            @Nullable Object metadata) {}

    /// The settings for the work on a job.
    record Rules(
            JobHandler handler,
            WorkerListener listener,
            @Nullable Duration lease) {}
}
