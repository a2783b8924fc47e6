package dev.sheaf.client.queue;

import dev.sheaf.client.http.HttpCall;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Selects jobs.
///
/// @param statuses such as `failed`; empty means any
/// @param type the type of the job; null means any
/// @param errorCode the code of the last failure, such as `exit_3`; null means any
/// @param text a text that the input must contain; null means any input
/// @param after only jobs created at or after this time, RFC 3339; null means no limit
/// @param before only jobs created before this time, RFC 3339; null means no limit
/// @param worker the worker that has the job or had it last; null means any
/// @param byUpdate true for the latest change first, false for the newest job first
public record JobFilter(
        List<String> statuses,
        @Nullable String type,
        @Nullable String errorCode,
        @Nullable String text,
        @Nullable String after,
        @Nullable String before,
        @Nullable UUID worker,
        boolean byUpdate) {
    /// All jobs, newest first.
    public static final JobFilter ALL = new JobFilter(List.of(), null, null, null, null, null, null, false);

    public JobFilter {
        statuses = List.copyOf(statuses);
    }

    public JobFilter statuses(List<String> others) {
        return new JobFilter(others, type, errorCode, text, after, before, worker, byUpdate);
    }

    public JobFilter type(@Nullable String other) {
        return new JobFilter(statuses, other, errorCode, text, after, before, worker, byUpdate);
    }

    String query() {
        var query = new StringBuilder(byUpdate ? "?order=updated" : "?order=created");
        add(query, "status", statuses.isEmpty() ? null : String.join(",", statuses));
        add(query, "jobType", type);
        add(query, "errorCode", errorCode);
        add(query, "q", text);
        add(query, "createdAfter", after);
        add(query, "createdBefore", before);
        add(query, "workerId", worker);
        return query.toString();
    }

    private static void add(StringBuilder query, String name, @Nullable Object value) {
        if (value != null) {
            query.append('&').append(name).append('=').append(HttpCall.encode(value.toString()));
        }
    }
}
