package dev.sheaf.server.queue.job;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.input.WireTimestamps;
import dev.sheaf.model.Problem;
import dev.sheaf.server.queue.JobState;
import dev.sheaf.server.queue.QueueSlug;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Selects jobs of a queue, to retry, cancel or delete them. Each member that is given narrows the selection.
///
/// @param jobType null for any
/// @param errorCode the code of their last failure; null for any
/// @param ids null for any
/// @param after only jobs created then or later; null for all
/// @param before only jobs created before this time; null for all
/// @param text a part of the input; null for any
public record JobSelection(
        List<JobState> states,
        @Nullable String jobType,
        @Nullable String errorCode,
        @Nullable List<UUID> ids,
        @Nullable Instant after,
        @Nullable Instant before,
        @Nullable String text) {
    /// Limit of ids in one request.
    public static final int MOST_IDS = 100;

    public JobSelection {
        states = List.copyOf(states);
        ids = ids == null ? null : List.copyOf(ids);
    }

    /// The states of jobs that can be retried.
    public static final List<JobState> RETRIED = List.of(JobState.FAILED, JobState.DEAD, JobState.CANCELLED);

    /// The states of jobs that can be cancelled.
    public static final List<JobState> CANCELLED =
            List.of(JobState.QUEUED, JobState.SCHEDULED, JobState.CLAIMED, JobState.RUNNING);

    private static final List<JobState> PURGED =
            List.of(JobState.COMPLETED, JobState.FAILED, JobState.DEAD, JobState.CANCELLED);

    /// Reads which jobs to retry.
    public static JobSelection toRetry(RequestFields fields) {
        return read(fields, RETRIED);
    }

    /// Reads which jobs to cancel.
    public static JobSelection toCancel(RequestFields fields) {
        return read(fields, CANCELLED);
    }

    /// Reads which jobs to delete.
    public static JobSelection toPurge(RequestFields fields) {
        return read(fields, PURGED);
    }

    /// @param allowed the states of jobs that are accepted
    private static JobSelection read(RequestFields fields, List<JobState> allowed) {
        var words = fields.texts("status");
        if (words == null || words.isEmpty()) {
            fields.error("status", "required", "is required: a list of one or more of " + names(allowed));
        }
        var states = new LinkedHashSet<JobState>();
        for (int i = 0; words != null && i < words.size(); i++) {
            String word = words.get(i);
            states.add(fields.checked("status/" + i, () -> state(word, allowed), allowed.getFirst()));
        }
        return new JobSelection(
                List.copyOf(states),
                fields.optional("jobType", 200),
                fields.optional("errorCode", 200),
                ids(fields),
                fields.optional("after", WireTimestamps::parse),
                fields.optional("before", WireTimestamps::parse),
                fields.optional("q", JobList::text));
    }

    private static @Nullable List<UUID> ids(RequestFields fields) {
        var words = fields.texts("ids");
        if (words == null) {
            return null;
        }
        if (words.isEmpty() || words.size() > MOST_IDS) {
            fields.error("ids", "range", "must have 1 to " + MOST_IDS + " ids of jobs");
            return null;
        }
        var ids = new LinkedHashSet<UUID>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            ids.add(fields.checked("ids/" + i, () -> QueueSlug.parseId(word), new UUID(0, 0)));
        }
        return List.copyOf(ids);
    }

    private static JobState state(String word, List<JobState> allowed) {
        return allowed.stream()
                .filter(state -> state.toString().equals(word))
                .findFirst()
                .orElseThrow(() -> Problem.invalid("unknown", "may only contain " + names(allowed)));
    }

    private static String names(List<JobState> states) {
        return String.join(", ", states.stream().map(JobState::toString).toList());
    }
}
