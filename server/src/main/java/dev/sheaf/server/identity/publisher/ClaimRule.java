package dev.sheaf.server.identity.publisher;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.wire.org.ClaimCondition;
import dev.sheaf.server.auth.oidc.IdToken;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A rule for the value of a claim in an id_token. `*` is the only wildcard in patterns.
public record ClaimRule(String claim, Kind kind, List<String> values) {
    private static final int MAX_CLAIMS = 20;
    private static final int MAX_CLAIM = 200;
    private static final int MAX_VALUE = 500;
    private static final int MAX_VALUES = 50;
    private static final Set<String> CONDITIONS = Set.of("claim", "equals", "in", "matches");
    private static final Pattern CLAIM = Pattern.compile("[A-Za-z0-9_./:-]+");

    /// The way to compare the claim with the values.
    public enum Kind {
        EQUALS,
        IN,
        MATCHES
    }

    public ClaimRule {
        values = List.copyOf(values);
    }

    /// Reads the rules in the member `claims`.
    static List<ClaimRule> parse(RequestFields fields) {
        var rules = new ArrayList<ClaimRule>();
        var seen = new HashSet<String>();
        for (var entry : fields.objects("claims", MAX_CLAIMS)) {
            entry.only(CONDITIONS);
            String claim = entry.required("claim", MAX_CLAIM);
            if (!claim.isEmpty() && !CLAIM.matcher(claim).matches()) {
                entry.error("claim", "format", "must be the name of a claim");
            }
            if (!seen.add(claim)) {
                entry.error("claim", "duplicate", "has two rules; use in for several values");
            }
            rule(entry, claim, rules);
        }
        return rules;
    }

    private static void rule(RequestFields entry, String claim, List<ClaimRule> rules) {
        var found = new ArrayList<ClaimRule>();
        for (var kind : Kind.values()) {
            String name = kind.name().toLowerCase(Locale.ROOT);
            if (entry.has(name)) {
                found.add(new ClaimRule(claim, kind, values(entry, name, kind)));
            }
        }
        if (found.size() != 1) {
            entry.error("", "range", "must have exactly one of equals, in, matches, which cannot be sent together");
        }
        rules.addAll(found);
    }

    private static List<String> values(RequestFields entry, String name, Kind kind) {
        if (kind != Kind.IN) {
            String one = entry.optional(name, MAX_VALUE);
            checkValue(entry, name, one);
            return one == null ? List.of() : List.of(one);
        }
        var many = entry.texts(name);
        if (many == null || many.isEmpty() || many.size() > MAX_VALUES) {
            entry.error(name, "range", "must have 1 to " + MAX_VALUES + " entries");
            return List.of();
        }
        for (int i = 0; i < many.size(); i++) {
            checkValue(entry, name + "/" + i, many.get(i));
        }
        return many;
    }

    /// @param text the value; null if it was already refused
    private static void checkValue(RequestFields entry, String place, @Nullable String text) {
        if (text != null && !isValue(text)) {
            entry.error(place, "format", "must be 1 to " + MAX_VALUE + " characters without control characters");
        }
    }

    private static boolean isValue(String text) {
        return !text.isBlank()
                && text.length() <= MAX_VALUE
                && text.codePoints().noneMatch(Character::isISOControl)
                && text.lines().count() == 1;
    }

    /// Returns whether the claim has an expected value. If the claim is a list, one expected entry suffices.
    boolean holds(IdToken token) {
        return token.values(claim).stream()
                .anyMatch(
                        actual -> kind == Kind.MATCHES ? matches(values.getFirst(), actual) : values.contains(actual));
    }

    /// Matches the pieces between the stars in order, each at its first place after the previous piece.
    static boolean matches(String pattern, String text) {
        String[] pieces = pattern.split("\\*", -1);
        if (pieces.length == 1) {
            return pattern.equals(text);
        }
        int at = pieces[0].length();
        int end = text.length() - pieces[pieces.length - 1].length();
        if (!text.startsWith(pieces[0]) || !text.endsWith(pieces[pieces.length - 1]) || end < at) {
            return false;
        }
        for (int i = 1; i < pieces.length - 1; i++) {
            int found = text.indexOf(pieces[i], at);
            if (found < 0 || found + pieces[i].length() > end) {
                return false;
            }
            at = found + pieces[i].length();
        }
        return true;
    }

    /// Returns a description of the expected value for error messages.
    String expected() {
        return switch (kind) {
            case EQUALS -> values.getFirst();
            case IN -> "one of " + String.join(", ", values);
            case MATCHES -> "one that matches " + values.getFirst();
        };
    }

    ClaimCondition toWire() {
        return switch (kind) {
            case EQUALS -> new ClaimCondition(claim, values.getFirst(), null, null);
            case IN -> new ClaimCondition(claim, null, values, null);
            case MATCHES -> new ClaimCondition(claim, null, null, values.getFirst());
        };
    }

    /// Returns the stored form: a line for each value, with kind, claim and value.
    static @Nullable String encode(List<ClaimRule> rules) {
        var lines = new ArrayList<String>();
        rules.forEach(
                rule -> rule.values().forEach(value -> lines.add(rule.kind() + " " + rule.claim() + " " + value)));
        return lines.isEmpty() ? null : String.join("\n", lines);
    }

    /// Reads the output of [#encode]. Each claim must have only one rule.
    static List<ClaimRule> decode(@Nullable String rows) {
        var rules = new ArrayList<ClaimRule>();
        for (String line : rows == null ? List.<String>of() : rows.lines().toList()) {
            String[] parts = line.split(" ", 3);
            var kind = Kind.valueOf(parts[0]);
            if (!rules.isEmpty() && rules.getLast().claim().equals(parts[1])) {
                var values = new ArrayList<>(rules.removeLast().values());
                values.add(parts[2]);
                rules.add(new ClaimRule(parts[1], kind, values));
            } else {
                rules.add(new ClaimRule(parts[1], kind, List.of(parts[2])));
            }
        }
        return rules;
    }
}
