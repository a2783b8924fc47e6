package dev.sheaf.model.passport;

import dev.sheaf.model.text.WireWords;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The rules of the passport, read from `rules.yaml` when they are first needed.
public final class PassportRules {
    /// The date of the rules. Another date means that the same files may give another passport.
    public static final String DATE = "2026-12-01";

    static final PassportRules ALL = new PassportRules();

    private static final String LISTS = "lists";

    private final Map<String, PassportRule> rules = new LinkedHashMap<>();
    private final Map<String, Integer> orders = new LinkedHashMap<>();
    private final Map<String, Set<String>> lists = new LinkedHashMap<>();

    private PassportRules() {
        for (Map<?, ?> rule : read()) {
            String id = text(rule, "id");
            if (text(rule, "row").equals(LISTS)) {
                lists.put(id, new HashSet<>(texts(rule, "names")));
            } else {
                orders.put(id, rules.size());
                rules.put(id, rule(id, rule));
            }
        }
    }

    private static List<Map<?, ?>> read() {
        try (InputStream in = PassportRules.class.getResourceAsStream("rules.yaml")) {
            var rules = new ArrayList<Map<?, ?>>();
            var all = new Load(LoadSettings.builder().build()).loadFromInputStream(Objects.requireNonNull(in));
            for (Object rule : (List<?>) all) {
                rules.add((Map<?, ?>) rule);
            }
            return rules;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PassportRule rule(String id, Map<?, ?> rule) {
        String quoted = text(rule, "quoted");
        String pattern = text(rule, "pattern");
        String scope = text(rule, "in");
        return new PassportRule(
                id,
                WireWords.find(PassportRow.class, text(rule, "row")).orElseThrow(),
                severity(text(rule, "severity")),
                severity(quoted),
                severity(text(rule, "described")),
                quoted.equals("none"),
                scope.isEmpty() ? null : PassportRule.Scope.valueOf(scope.toUpperCase(Locale.ROOT)),
                texts(rule, "words"),
                pattern.isEmpty() ? null : Pattern.compile(pattern),
                text(rule, "one"),
                text(rule, "many"),
                text(rule, "text"),
                text(rule, "advice"),
                texts(rule, "matches"),
                texts(rule, "ignores"));
    }

    private static @Nullable Severity severity(String word) {
        return WireWords.find(Severity.class, word).orElse(null);
    }

    private static String text(Map<?, ?> rule, String member) {
        Object value = rule.get(member);
        return value == null ? "" : value.toString();
    }

    private static List<String> texts(Map<?, ?> rule, String member) {
        return rule.get(member) instanceof List<?> all
                ? all.stream().map(Object::toString).toList()
                : List.of();
    }

    /// Returns all rules, in the order in which a row has their entries.
    public static List<PassportRule> all() {
        return List.copyOf(ALL.rules.values());
    }

    /// Returns a rule; empty for an id that this version does not know, as a newer registry may send it.
    public static Optional<PassportRule> find(String id) {
        return Optional.ofNullable(ALL.rules.get(id));
    }

    static PassportRule of(String id) {
        return find(id).orElseThrow(() -> new IllegalStateException("no rule " + id));
    }

    static boolean isIn(String list, String name) {
        return Objects.requireNonNull(ALL.lists.get(list)).contains(name);
    }

    int order(String id) {
        return orders.getOrDefault(id, Integer.MAX_VALUE);
    }
}
