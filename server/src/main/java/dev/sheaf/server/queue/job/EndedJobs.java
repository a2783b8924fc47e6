package dev.sheaf.server.queue.job;

import dev.sheaf.server.queue.JobState;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Selects ended jobs of a queue, to retry or delete them. Each member that is given narrows the selection.
///
/// @param jobType null for any
/// @param errorCode the code of their last failure; null for any
/// @param ids null for any
/// @param before only jobs created before this time; null for all
public record EndedJobs(
        List<JobState> states,
        @Nullable String jobType,
        @Nullable String errorCode,
        @Nullable List<UUID> ids,
        @Nullable Instant before) {
    /// Limit of ids in one request.
    public static final int MOST_IDS = 100;

    public EndedJobs {
        states = List.copyOf(states);
        ids = ids == null ? null : List.copyOf(ids);
    }
}
