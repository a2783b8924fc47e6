package dev.sheaf.server.audit;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.input.WireTimestamps;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A filter of audit entries. A null component does not filter.
///
/// @param organizationId only entries of this organization
/// @param actor exact, such as `key:0199…`
/// @param action exact, or a prefix followed by `*`
/// @param subject exact, or a prefix followed by `*`
/// @param since inclusive
/// @param until exclusive
/// @param seq the entry's number in the chain
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
    private static final int LONGEST = 500;

    /// Refuses a restricted key, because the log mentions every bundle.
    ///
    /// @throws ProblemException forbidden
    public static void mayRead(Caller.Known caller) {
        Access.unrestricted(caller);
    }

    /// Reads a filter from the parameters of a query.
    ///
    /// @param query returns the value of a parameter
    /// @throws ProblemException validation-failed that names the parameter
    public static AuditFilter read(
            Function<String, Optional<String>> query, @Nullable UUID organization, @Nullable String actor) {
        return new AuditFilter(
                organization,
                actor,
                read(query, "action", AuditFilter::text),
                read(query, "subject", AuditFilter::text),
                read(query, "outcome", AuditFilter::outcome),
                read(query, "requestId", AuditFilter::text),
                read(query, "since", WireTimestamps::parse),
                read(query, "until", WireTimestamps::parse),
                read(query, "seq", AuditFilter::number));
    }

    /// Reads one parameter; null if it was not sent.
    public static <T> @Nullable T read(
            Function<String, Optional<String>> query, String name, Function<String, T> parser) {
        return query.apply(name)
                .map(text -> RequestFields.named(name, text, parser))
                .orElse(null);
    }

    public static String text(String text) {
        if (text.isEmpty() || text.length() > LONGEST || text.indexOf('\0') >= 0) {
            throw Problem.invalid("range", "must have 1 to " + LONGEST + " characters");
        }
        return text;
    }

    private static AuditEntry.Outcome outcome(String text) {
        for (var outcome : AuditEntry.Outcome.values()) {
            if (outcome.toString().equals(text)) {
                return outcome;
            }
        }
        throw Problem.invalid("unknown", "must be success or denied");
    }

    private static Long number(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw Problem.invalid("format", "must be a number");
        }
        return Long.valueOf(text);
    }

    /// The ten minutes of an entry, as the indexes have them.
    static final String SPAN = "(created_at / 600000)";

    static long span(long millis) {
        return millis / 600_000;
    }

    /// An SQL condition with the name and the value of its parameter.
    private record Condition(String sql, String name, Object value) {}

    /// Returns the conditions, each preceded by AND, with the parameter names of [#values].
    String sql() {
        return conditions().map(condition -> " AND " + condition.sql()).collect(Collectors.joining());
    }

    /// Returns the parameters: name, value, name, value…
    List<Object> values() {
        return conditions()
                .flatMap(condition -> Stream.of(condition.name(), condition.value()))
                .toList();
    }

    private Stream<Condition> conditions() {
        return Stream.of(
                        of("organization_id = :", "organization", organizationId),
                        of("actor = :", "actor", actor),
                        text("action", action),
                        text("subject", subject),
                        of("outcome = :", "outcome", outcome),
                        of("request_id = :", "request", requestId),
                        of("created_at >= :", "since", since),
                        of("created_at < :", "until", until),
                        of(SPAN + " >= :", "sinceSpan", span(since)),
                        of(SPAN + " <= :", "untilSpan", span(until)),
                        of("seq = :", "seq", seq))
                .flatMap(Function.identity());
    }

    private static @Nullable Long span(@Nullable Instant moment) {
        return moment == null ? null : span(moment.toEpochMilli());
    }

    private static Stream<Condition> of(String sql, String name, @Nullable Object value) {
        return value == null ? Stream.empty() : Stream.of(new Condition(sql + name, name, value));
    }

    private static Stream<Condition> text(String column, @Nullable String text) {
        return text != null && text.endsWith("*")
                ? of(
                        "substr(" + column + ", 1, length(:" + column + ")) = :",
                        column,
                        text.substring(0, text.length() - 1))
                : of(column + " = :", column, text);
    }
}
