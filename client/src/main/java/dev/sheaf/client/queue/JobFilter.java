package dev.sheaf.client.queue;

import dev.sheaf.client.http.Call;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Selects jobs.
///
/// @param statuses such as `failed`; empty: any
/// @param type null: any
/// @param text part of the input; null: any
/// @param after created at or after this time, RFC 3339; null: any time
/// @param before created before this time, RFC 3339; null: any time
/// @param worker that has the job or had it last; null: any
/// @param byUpdate order by the last change, latest first, instead of newest first
public record JobFilter(
        List<String> statuses,
        @Nullable String type,
        @Nullable String text,
        @Nullable String after,
        @Nullable String before,
        @Nullable UUID worker,
        boolean byUpdate) {
    /// All jobs, newest first.
    public static final JobFilter ALL = new JobFilter(List.of(), null, null, null, null, null, false);

    public JobFilter {
        statuses = List.copyOf(statuses);
    }

    public JobFilter statuses(List<String> others) {
        return new JobFilter(others, type, text, after, before, worker, byUpdate);
    }

    public JobFilter type(@Nullable String other) {
        return new JobFilter(statuses, other, text, after, before, worker, byUpdate);
    }

    String query() {
        var query = new StringBuilder(byUpdate ? "?order=updated" : "?order=created");
        add(query, "status", statuses.isEmpty() ? null : String.join(",", statuses));
        add(query, "jobType", type);
        add(query, "q", text);
        add(query, "createdAfter", after);
        add(query, "createdBefore", before);
        add(query, "workerId", worker);
        return query.toString();
    }

    private static void add(StringBuilder query, String name, @Nullable Object value) {
        if (value != null) {
            query.append('&').append(name).append('=').append(Call.encode(value.toString()));
        }
    }
}
