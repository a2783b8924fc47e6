package dev.sheaf.server.bundle.review;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.passport.Severity;
import dev.sheaf.model.text.WireWords;
import dev.sheaf.model.wire.bundle.PolicyRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A rule that approves a push without people. All its members must hold.
///
/// @param publisher who must have pushed it, as an actor; null for anybody
/// @param paths patterns of which each changed path must have one; empty for any path
/// @param alsoPaths the same again: where the policies of a namespace and a bundle both have patterns, both
/// must hold
/// @param noNewCapabilities whether it may be able to do nothing new
/// @param maxFinding the worst severity that its findings may have
public record AutoRule(
        @Nullable String publisher,
        List<String> paths,
        List<String> alsoPaths,
        boolean noNewCapabilities,
        Severity maxFinding) {
    static final int MOST = 10;
    private static final int MOST_PATHS = 20;
    private static final String PATHS = "paths";
    private static final String SEPARATOR = "\t"; // no pattern contains control characters
    private static final Pattern ACTOR =
            Pattern.compile("(user|key|publisher):[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    public AutoRule {
        paths = List.copyOf(paths);
        alsoPaths = List.copyOf(alsoPaths);
    }

    /// Reads the member `auto` of a policy.
    static List<AutoRule> parse(RequestFields review) {
        return !review.has("auto") || review.isEmptyArray("auto")
                ? List.of()
                : review.objects("auto", MOST).stream().map(AutoRule::rule).toList();
    }

    private static AutoRule rule(RequestFields fields) {
        fields.only(Set.of("publisher", PATHS, "noNewCapabilities", "maxFinding"));
        var paths = !fields.has(PATHS) || fields.isEmptyArray(PATHS)
                ? List.<String>of()
                : fields.parsedTexts(PATHS, 1, MOST_PATHS, PathGlob::parse);
        return new AutoRule(
                fields.optional("publisher", AutoRule::actor),
                paths.stream().distinct().sorted().toList(),
                List.of(),
                !Boolean.FALSE.equals(fields.flag("noNewCapabilities")),
                fields.parsedOr("maxFinding", AutoRule::severity, Severity.LOW));
    }

    private static String actor(String text) {
        if (!ACTOR.matcher(text).matches()) {
            throw Problem.invalid(
                    "format",
                    "must be user:, key: or publisher: with an id, as publishedBy of versions names who pushed them");
        }
        return text;
    }

    private static Severity severity(String text) {
        return WireWords.find(Severity.class, text)
                .orElseThrow(() -> Problem.invalid("unknown", WireWords.oneOf(Severity.class)));
    }

    /// Returns whether all changed paths have one of the patterns.
    public boolean admits(Collection<String> changed) {
        return isIn(changed, paths) && isIn(changed, alsoPaths);
    }

    private static boolean isIn(Collection<String> changed, List<String> patterns) {
        var globs = patterns.stream().map(PathGlob::new).toList();
        return globs.isEmpty()
                || changed.stream().allMatch(path -> globs.stream().anyMatch(glob -> glob.matches(path)));
    }

    /// Returns the rules that hold where one of both lists holds.
    static List<AutoRule> and(List<AutoRule> one, List<AutoRule> other) {
        return one.stream()
                .flatMap(rule -> other.stream().flatMap(more -> rule.and(more).stream()))
                .distinct()
                .toList();
    }

    private Optional<AutoRule> and(AutoRule other) {
        if (publisher != null && other.publisher != null && !publisher.equals(other.publisher)) {
            return Optional.empty();
        }
        boolean isSame = paths.equals(other.paths) || other.paths.isEmpty();
        return Optional.of(new AutoRule(
                publisher == null ? other.publisher : publisher,
                paths.isEmpty() ? other.paths : paths,
                paths.isEmpty() || isSame ? List.of() : other.paths,
                noNewCapabilities || other.noNewCapabilities,
                maxFinding.compareTo(other.maxFinding) <= 0 ? maxFinding : other.maxFinding));
    }

    /// Returns whether some rules approve only what some others do.
    static boolean areWithin(List<AutoRule> rules, List<AutoRule> others) {
        return rules.stream().allMatch(rule -> others.stream().anyMatch(rule::isWithin));
    }

    private boolean isWithin(AutoRule other) {
        return (other.publisher == null || other.publisher.equals(publisher))
                && (other.paths.isEmpty() || (!paths.isEmpty() && other.paths.containsAll(paths)))
                && (noNewCapabilities || !other.noNewCapabilities)
                && maxFinding.compareTo(other.maxFinding) <= 0;
    }

    /// Returns it in words, for people.
    public String words() {
        var words = new ArrayList<String>();
        if (publisher != null) {
            words.add("pushed by " + publisher);
        }
        if (!paths.isEmpty()) {
            words.add("changes only in " + String.join(", ", paths));
        }
        if (!alsoPaths.isEmpty()) {
            words.add("and in " + String.join(", ", alsoPaths));
        }
        if (noNewCapabilities) {
            words.add("no new capabilities");
        }
        words.add("findings up to " + maxFinding);
        return String.join("; ", words);
    }

    // --- rows ---

    /// Returns rules as they are stored, one a line; null for none.
    static @Nullable String lines(List<AutoRule> rules) {
        return rules.isEmpty() ? null : rules.stream().map(AutoRule::line).collect(Collectors.joining("\n"));
    }

    private String line() {
        var parts = new ArrayList<String>();
        parts.add(Objects.requireNonNullElse(publisher, ""));
        parts.add(noNewCapabilities ? "1" : "0");
        parts.add(maxFinding.toString());
        parts.addAll(paths);
        return String.join(SEPARATOR, parts);
    }

    /// Reads what [#lines] wrote.
    static List<AutoRule> ofLines(@Nullable String lines) {
        return lines == null ? List.of() : lines.lines().map(AutoRule::ofLine).toList();
    }

    private static AutoRule ofLine(String line) {
        var parts = List.of(line.split(SEPARATOR, -1));
        return new AutoRule(
                parts.getFirst().isEmpty() ? null : parts.getFirst(),
                parts.subList(3, parts.size()),
                List.of(),
                !parts.get(1).equals("0"),
                WireWords.find(Severity.class, parts.get(2)).orElse(Severity.INFO));
    }

    PolicyRecord.Auto toWire() {
        return new PolicyRecord.Auto(
                publisher, paths, alsoPaths.isEmpty() ? null : alsoPaths, noNewCapabilities, maxFinding.toString());
    }
}
