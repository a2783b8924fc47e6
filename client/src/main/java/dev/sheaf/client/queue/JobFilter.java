package dev.sheaf.client.queue;

import dev.sheaf.client.http.HttpCall;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Selects jobs. Immutable: start with [#ALL].
public final class JobFilter {
    /// All jobs, newest first.
    public static final JobFilter ALL = new JobFilter(List.of(), null, null, null, null, null, null, false);

    private final List<String> statuses;
    private final @Nullable String type;
    private final @Nullable String errorCode;
    private final @Nullable String text;
    private final @Nullable String after;
    private final @Nullable String before;
    private final @Nullable UUID worker;
    private final boolean byUpdate;

    private JobFilter(
            List<String> statuses,
            @Nullable String type,
            @Nullable String errorCode,
            @Nullable String text,
            @Nullable String after,
            @Nullable String before,
            @Nullable UUID worker,
            boolean byUpdate) {
        this.statuses = List.copyOf(statuses);
        this.type = type;
        this.errorCode = errorCode;
        this.text = text;
        this.after = after;
        this.before = before;
        this.worker = worker;
        this.byUpdate = byUpdate;
    }

    /// Selects jobs in these states, such as `failed`; empty for any.
    public JobFilter statuses(List<String> others) {
        return new JobFilter(others, type, errorCode, text, after, before, worker, byUpdate);
    }

    /// Selects jobs of this type; null for any.
    public JobFilter type(@Nullable String other) {
        return new JobFilter(statuses, other, errorCode, text, after, before, worker, byUpdate);
    }

    /// Selects jobs whose last attempt failed with this code, such as `exit_3`; null for any.
    public JobFilter errorCode(@Nullable String other) {
        return new JobFilter(statuses, type, other, text, after, before, worker, byUpdate);
    }

    /// Selects jobs whose input contains this text; null for any.
    public JobFilter text(@Nullable String other) {
        return new JobFilter(statuses, type, errorCode, other, after, before, worker, byUpdate);
    }

    /// Selects jobs that were created at or after this time (RFC 3339); null for any.
    public JobFilter after(@Nullable String other) {
        return new JobFilter(statuses, type, errorCode, text, other, before, worker, byUpdate);
    }

    /// Selects jobs that were created before this time (RFC 3339); null for any.
    public JobFilter before(@Nullable String other) {
        return new JobFilter(statuses, type, errorCode, text, after, other, worker, byUpdate);
    }

    /// Selects jobs that this worker has, or had last; null for any.
    public JobFilter worker(@Nullable UUID other) {
        return new JobFilter(statuses, type, errorCode, text, after, before, other, byUpdate);
    }

    /// Lists the latest change first, instead of the newest job.
    public JobFilter byUpdate(boolean latest) {
        return new JobFilter(statuses, type, errorCode, text, after, before, worker, latest);
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
