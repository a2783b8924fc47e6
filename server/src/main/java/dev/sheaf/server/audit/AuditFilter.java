package dev.sheaf.server.audit;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Which entries are asked for. What is null does not filter.
///
/// @param organizationId of that organization only
/// @param actor exactly, such as `key:0199…`
/// @param action exactly, or all that begin with what stands before a last `*`
/// @param subject exactly, or as action
/// @param since not before it
/// @param until before it
/// @param seq at that place in the chain
public record AuditFilter(
        @Nullable UUID organizationId,
        @Nullable String actor,
        @Nullable String action,
        @Nullable String subject,
        AuditEntry.@Nullable Outcome outcome,
        @Nullable String requestId,
        @Nullable Instant since,
        @Nullable Instant until,
        @Nullable Long seq) {

    /// Conditions, each behind an AND, over the names that [#values] gives.
    String sql() {
        var sql = new StringBuilder();
        values().keySet().forEach(name -> sql.append(" AND ").append(condition(name)));
        return sql.toString();
    }

    private static String condition(String name) {
        return switch (name) {
            case "organization" -> "organization_id = :organization";
            case "actions" -> "substr(action, 1, length(:actions)) = :actions";
            case "subjects" -> "substr(subject, 1, length(:subjects)) = :subjects";
            case "request" -> "request_id = :request";
            case "since" -> "created_at >= :since";
            case "until" -> "created_at < :until";
            default -> name + " = :" + name;
        };
    }

    Map<String, Object> values() {
        var values = new LinkedHashMap<String, Object>();
        put(values, "organization", organizationId);
        put(values, "actor", actor);
        text(values, "action", action);
        text(values, "subject", subject);
        put(values, "outcome", outcome == null ? null : outcome.toString());
        put(values, "request", requestId);
        put(values, "since", since);
        put(values, "until", until);
        put(values, "seq", seq);
        return values;
    }

    private static void put(Map<String, Object> values, String name, @Nullable Object value) {
        if (value != null) {
            values.put(name, value);
        }
    }

    private static void text(Map<String, Object> values, String name, @Nullable String text) {
        if (text != null && text.endsWith("*")) {
            values.put(name + "s", text.substring(0, text.length() - 1));
        } else {
            put(values, name, text);
        }
    }
}
