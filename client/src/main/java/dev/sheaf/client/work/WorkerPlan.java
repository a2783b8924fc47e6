package dev.sheaf.client.work;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What a worker is told before it begins.
///
/// @param queue id or slug
/// @param most how many jobs it takes before it ends
/// @param waits whether it waits for jobs, or ends where there is none
record WorkerPlan(String queue, int concurrency, long most, boolean waits, Identity identity, Rules rules) {
    /// However long the lease is.
    static final Duration LONGEST_BEAT = Duration.ofSeconds(30);

    /// Who it is.
    ///
    /// @param instance what the program calls itself; the same again replaces the older registration
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
