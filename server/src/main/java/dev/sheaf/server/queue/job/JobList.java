package dev.sheaf.server.queue.job;

import dev.sheaf.engine.db.LikePattern;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.input.WireTimestamps;
import dev.sheaf.model.Problem;
import dev.sheaf.server.queue.JobState;
import dev.sheaf.server.queue.QueueSlug;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Selects the jobs to list and their order: newest first, or last changed first.
///
/// @param queue null for the whole organization
/// @param queues the queues that the caller sees; null if it sees all
/// @param states empty for any
/// @param errorCode the code of the last failure; null for any
/// @param text a part of the input; null for any
/// @param byUpdate whether the list is sorted by the time of the last change
public record JobList(
        @Nullable UUID queue,
        @Nullable List<UUID> queues,
        List<JobState> states,
        @Nullable String jobType,
        @Nullable String errorCode,
        @Nullable Instant createdAfter,
        @Nullable Instant createdBefore,
        @Nullable UUID workerId,
        @Nullable String text,
        boolean byUpdate) {
    private static final int MAX_TEXT = 200;

    public JobList {
        queues = queues == null ? null : List.copyOf(queues);
        states = List.copyOf(states);
    }

    /// Reads a selection from the parameters of a query.
    ///
    /// @param statuses the states, separated by commas
    /// @param query returns the value of a parameter
    /// @throws dev.sheaf.model.ProblemException validation-failed that names the parameter
    public static JobList read(
            @Nullable UUID queue,
            @Nullable List<UUID> queues,
            List<String> statuses,
            Function<String, Optional<String>> query) {
        String order = query.apply("order").orElse("created");
        if (!order.equals("created") && !order.equals("updated")) {
            throw new Problem.ValidationFailed(
                            List.of(new Problem.FieldError("order", "unknown", "must be created or updated")))
                    .raise();
        }
        return new JobList(
                queue,
                queues,
                statuses.stream()
                        .flatMap(text -> Arrays.stream(text.split(",", -1)))
                        .map(word -> RequestFields.named("status", word, JobState::parse))
                        .distinct()
                        .toList(),
                read(query, "jobType", JobList::text),
                read(query, "errorCode", JobList::text),
                read(query, "createdAfter", WireTimestamps::parse),
                read(query, "createdBefore", WireTimestamps::parse),
                read(query, "workerId", QueueSlug::parseId),
                read(query, "q", JobList::text),
                order.equals("updated"));
    }

    private static <T> @Nullable T read(
            Function<String, Optional<String>> query, String name, Function<String, T> parser) {
        return query.apply(name)
                .map(text -> RequestFields.named(name, text, parser))
                .orElse(null);
    }

    /// Checks a text to search for.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed
    public static String text(String text) {
        if (text.isEmpty() || text.length() > MAX_TEXT || text.indexOf('\0') >= 0) {
            throw Problem.invalid("range", "must have 1 to " + MAX_TEXT + " characters");
        }
        return text;
    }

    /// A job of the list, before its content is read.
    ///
    /// @param changed the time of the last change or, without one, of the creation
    /// @param bytes the size of its content and failure
    record Place(UUID id, Instant changed, long bytes) {}

    /// Returns the cursor key after the last job of a page.
    String key(Place last) {
        return byUpdate
                ? last.changed().toEpochMilli() + " " + last.id()
                : last.id().toString();
    }

    List<Place> places(Tx tx, UUID organization, @Nullable String after, int limit) {
        if (queues != null && queues.isEmpty()) {
            return List.of();
        }
        var values = new HashMap<String, @Nullable Object>();
        var sql = new StringBuilder("SELECT id, coalesce(updated_at, created_at) AS changed, " + JobRows.BYTES
                + " AS bytes FROM job WHERE organization_id = :organization");
        values.put("organization", organization);
        values.put("limit", limit);
        add(sql, values, "queue_id = :queue", "queue", queue);
        add(sql, values, "queue_id IN (<queues>)", "queues", queues);
        add(sql, values, "status IN (<states>)", "states", states.isEmpty() ? null : states);
        add(sql, values, "job_type = :jobType", "jobType", jobType);
        add(sql, values, "error_code = :errorCode", "errorCode", errorCode);
        add(sql, values, "created_at >= :createdAfter", "createdAfter", createdAfter);
        add(sql, values, "created_at < :createdBefore", "createdBefore", createdBefore);
        add(sql, values, "worker_id = :workerId", "workerId", workerId);
        add(
                sql,
                values,
                "lower(input) LIKE :text ESCAPE '!'",
                "text",
                text == null ? null : LikePattern.containing(text));
        place(sql, values, after);
        return tx.planned(sql.toString(), Place.class, values);
    }

    private static void add(
            StringBuilder sql,
            Map<String, @Nullable Object> values,
            String condition,
            String name,
            @Nullable Object value) {
        if (value != null) {
            sql.append(" AND ").append(condition);
            values.put(name, value);
        }
    }

    private void place(StringBuilder sql, Map<String, @Nullable Object> values, @Nullable String after) {
        if (!byUpdate) {
            values.put("after", after == null ? TimeOrderedIds.END : after);
            sql.append(" AND id < :after ORDER BY id DESC LIMIT :limit");
            return;
        }
        if (after != null) {
            int space = after.indexOf(' ');
            if (space < 1 || !after.substring(0, space).matches("[0-9]{1,18}")) {
                throw new Problem.InvalidCursor().raise();
            }
            values.put("at", Long.parseLong(after.substring(0, space)));
            values.put("after", after.substring(space + 1));
            sql.append(" AND (coalesce(updated_at, created_at), id) < (:at, :after)");
        }
        sql.append(" ORDER BY coalesce(updated_at, created_at) DESC, id DESC LIMIT :limit");
    }
}
