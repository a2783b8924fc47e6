package dev.sheaf.server.event;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Scope;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.CredentialRestrictions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Selects events of a feed for a reader. Each text is exact, or with a trailing `*` a prefix.
///
/// @param types any of these; empty for all
/// @param subjects any of these; empty for all
public record EventFilter(List<String> types, List<String> subjects, Reader reader) {
    /// Selects everything.
    static final EventFilter NONE =
            new EventFilter(List.of(), List.of(), new Reader(Scope.ADMIN, CredentialRestrictions.NONE));

    private static final int MOST_TYPES = 50;
    private static final int LONGEST = 500;

    /// Reads a filter from the parameters of a query.
    ///
    /// @param typeTexts types, separated by commas
    /// @throws dev.sheaf.model.ProblemException validation-failed that names the parameter
    public static EventFilter read(List<String> typeTexts, @Nullable String subject, Reader reader) {
        var types = typeTexts.stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .toList();
        if (types.size() > MOST_TYPES || !types.stream().allMatch(type -> type.matches("[a-z_.]{1,100}\\*?|\\*"))) {
            throw new Problem.ValidationFailed(List.of(new Problem.FieldError(
                            "types",
                            "format",
                            "must be up to " + MOST_TYPES + " types separated by commas, such as version.published or"
                                    + " version.*, one trailing * allowed")))
                    .raise();
        }
        types.stream().filter(type -> !EventNames.isKnown(type)).findFirst().ifPresent(type -> {
            var error = new Problem.FieldError("types", "unknown", EventNames.unknown(type));
            throw new Problem.ValidationFailed(List.of(error)).raise();
        });
        List<String> subjects =
                subject == null ? List.of() : List.of(RequestFields.named("subject", subject, EventFilter::subject));
        return new EventFilter(types, subjects, reader);
    }

    private static String subject(String text) {
        if (text.isEmpty() || text.length() > LONGEST || text.indexOf('\0') >= 0) {
            throw Problem.invalid("range", "must have 1 to " + LONGEST + " characters");
        }
        return text;
    }

    public EventFilter {
        types = List.copyOf(types);
        subjects = List.copyOf(subjects);
    }

    /// The rights of the reader.
    ///
    /// @param scope events for those who may do more are not included
    /// @param restrictions if they confine to bundles, only events of these are included
    public record Reader(Scope scope, CredentialRestrictions restrictions) {
        /// A reader of the hub.
        public static final Reader ANYBODY = new Reader(Scope.READ, CredentialRestrictions.NONE);

        /// Returns the rights of a caller in its own organization.
        public static Reader of(Caller.Known caller) {
            return new Reader(caller.scope(), caller.restrictions());
        }

        /// Returns whether the reader sees all events of the feed, so that their numbers reveal nothing.
        public boolean seesAll() {
            return scope.includes(Scope.ADMIN) && !restrictions.isPart();
        }

        /// Returns the audiences of events that are included, as stored.
        private List<String> audiences() {
            return Stream.of(Event.Audience.values())
                    .filter(audience -> scope.includes(
                            switch (audience) {
                                case READ -> Scope.READ;
                                case WRITE -> Scope.WRITE;
                                case ADMIN -> Scope.ADMIN;
                            }))
                    .map(Event.Audience::toString)
                    .toList();
        }

        /// Returns whether only events of bundles are included. A key confined to queues or uses must not see
        /// other jobs.
        private boolean bundlesOnly() {
            return restrictions.isPart();
        }

        private List<String> namespaces() {
            return restrictions.namespaces().stream().map(name -> name + "/*").toList();
        }

        private List<String> bundles() {
            return restrictions.namesOfBundles();
        }
    }

    /// The condition that the column matches one of the texts.
    private record AnyOf(String column, List<String> texts) {
        String sql() {
            return IntStream.range(0, texts.size())
                    .mapToObj(i -> condition(texts.get(i), column + "_" + i))
                    .collect(Collectors.joining(" OR ", " AND (", ")"));
        }

        private String condition(String text, String name) {
            String its = column.replaceFirst("_.*", "");
            return text.endsWith("*")
                    ? "substr(" + its + ", 1, length(:" + name + ")) = :" + name
                    : its + " = :" + name;
        }

        /// Evaluates the condition without a database.
        boolean holds(@Nullable String value) {
            return value != null
                    && texts.stream()
                            .anyMatch(text -> text.endsWith("*")
                                    ? value.startsWith(text.substring(0, text.length() - 1))
                                    : value.equals(text));
        }

        @Nullable
        String of(FeedRow row) {
            return switch (column) {
                case "type" -> row.type();
                case "subject" -> row.subject();
                default -> row.bundle();
            };
        }

        void bind(Map<String, Object> values) {
            for (int i = 0; i < texts.size(); i++) {
                String text = texts.get(i);
                values.put(column + "_" + i, text.endsWith("*") ? text.substring(0, text.length() - 1) : text);
            }
        }
    }

    private List<AnyOf> conditions() {
        return Stream.of(
                        new AnyOf("type", types),
                        new AnyOf("subject", subjects),
                        new AnyOf("bundle", reader.bundles()),
                        new AnyOf("bundle_namespace", reader.namespaces()))
                .filter(condition -> !condition.texts().isEmpty())
                .toList();
    }

    /// Returns a predicate that accepts the same events as [#sql].
    Predicate<FeedRow> passing() {
        var all = conditions();
        var audiences = reader.audiences();
        return row -> audiences.contains(row.audience())
                && (!reader.bundlesOnly() || row.bundle() != null)
                && all.stream().allMatch(condition -> condition.holds(condition.of(row)));
    }

    /// Returns conditions, each preceded by AND, with the parameter names of [#values].
    String sql() {
        return conditions().stream()
                .map(AnyOf::sql)
                .collect(Collectors.joining(
                        "",
                        (reader.scope().includes(Scope.ADMIN)
                                        ? ""
                                        : reader.audiences().stream()
                                                .collect(Collectors.joining("', '", " AND audience IN ('", "')")))
                                + (reader.bundlesOnly() ? " AND bundle IS NOT NULL" : ""),
                        ""));
    }

    /// Returns the parameters by name.
    Map<String, Object> values() {
        var values = new HashMap<String, Object>();
        conditions().forEach(condition -> condition.bind(values));
        return values;
    }
}
