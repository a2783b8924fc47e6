package dev.sheaf.client.queue;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Selects ended jobs of a queue, to retry or delete them. Each value that is set narrows the selection. Immutable.
///
/// @param statuses such as `failed`; at least one
/// @param type null: any
/// @param errorCode the code of their last failure, such as `exit_3`; null means any
/// @param ids 1 to 100 jobs; null means any
/// @param before only jobs created before this time, RFC 3339; null means no limit
public record EndedJobs(
        List<String> statuses,
        @Nullable String type,
        @Nullable String errorCode,
        @Nullable List<UUID> ids,
        @Nullable String before) {
    public EndedJobs {
        statuses = List.copyOf(statuses);
        ids = ids == null ? null : List.copyOf(ids);
    }

    /// Selects all jobs in these states.
    public static EndedJobs of(List<String> statuses) {
        return new EndedJobs(statuses, null, null, null, null);
    }

    public EndedJobs type(@Nullable String other) {
        return new EndedJobs(statuses, other, errorCode, ids, before);
    }

    public EndedJobs errorCode(@Nullable String other) {
        return new EndedJobs(statuses, type, other, ids, before);
    }

    public EndedJobs ids(@Nullable List<UUID> others) {
        return new EndedJobs(statuses, type, errorCode, others, before);
    }

    public EndedJobs before(@Nullable String other) {
        return new EndedJobs(statuses, type, errorCode, ids, other);
    }

    Map<String, @Nullable Object> members() {
        return RequestMembers.NOTHING
                .and("status", statuses)
                .and("jobType", type)
                .and("errorCode", errorCode)
                .and("ids", ids)
                .and("before", before)
                .members();
    }
}
