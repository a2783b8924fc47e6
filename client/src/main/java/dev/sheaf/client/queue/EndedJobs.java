package dev.sheaf.client.queue;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Selects ended jobs. Immutable: start with [#of].
public final class EndedJobs {
    private final List<String> statuses;
    private final @Nullable String type;
    private final @Nullable String errorCode;
    private final @Nullable List<UUID> ids;
    private final @Nullable String before;

    private EndedJobs(
            List<String> statuses,
            @Nullable String type,
            @Nullable String errorCode,
            @Nullable List<UUID> ids,
            @Nullable String before) {
        this.statuses = List.copyOf(statuses);
        this.type = type;
        this.errorCode = errorCode;
        this.ids = ids == null ? null : List.copyOf(ids);
        this.before = before;
    }

    /// Selects all jobs in these states, at least one, such as `failed`.
    public static EndedJobs of(List<String> statuses) {
        return new EndedJobs(statuses, null, null, null, null);
    }

    /// Selects jobs of this type; null for any.
    public EndedJobs type(@Nullable String other) {
        return new EndedJobs(statuses, other, errorCode, ids, before);
    }

    /// Selects jobs whose last attempt failed with this code, such as `exit_3`; null for any.
    public EndedJobs errorCode(@Nullable String other) {
        return new EndedJobs(statuses, type, other, ids, before);
    }

    /// Selects these jobs, 1 to 100; null for any.
    public EndedJobs ids(@Nullable List<UUID> others) {
        return new EndedJobs(statuses, type, errorCode, others, before);
    }

    /// Selects jobs that were created before this time (RFC 3339); null for any.
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
