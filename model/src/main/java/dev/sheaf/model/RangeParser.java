package dev.sheaf.model;

import dev.sheaf.model.VersionRange.Comparator;
import dev.sheaf.model.VersionRange.Operator;
import dev.sheaf.model.VersionRange.Point;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Parses ranges as npm's `semver` does, including strings that its grammar does not cover. The tests compare
/// the results with npm's. Each step is one pass from left to right, so the time is proportional to the length.
final class RangeParser {
    private static final String HYPHEN = " - ";
    private static final Point LOWEST = new Point(0, 0, 0, List.of());
    private static final List<String> FIRST_PRERELEASE = List.of("0");

    private static final Comparator NOTHING = new Comparator(Operator.BELOW, new Point(0, 0, 0, FIRST_PRERELEASE));

    private RangeParser() {}

    /// The text is not a range. [#parse] catches it.
    private static final class Refused extends Exception {
        Refused() {
            super(null, null, false, false);
        }
    }

    static Optional<VersionRange> parse(String text) {
        try {
            var sets = new ArrayList<List<Comparator>>();
            for (String part : RangeSpaces.normal(text).split("\\|\\|", -1)) {
                sets.add(set(withoutBuild(RangeSpaces.normal(part))));
            }
            return Optional.of(new VersionRange(effective(sets)));
        } catch (Refused e) {
            return Optional.empty();
        }
    }

    /// If one set accepts any release, it replaces all sets, including those that name prereleases.
    private static List<List<Comparator>> effective(List<List<Comparator>> sets) {
        var some = sets.stream().filter(set -> !set.contains(NOTHING)).toList();
        return some.size() > 1 && some.stream().anyMatch(List::isEmpty) ? List.of(List.of()) : some;
    }

    /// Returns the comparators of a set; empty if it accepts any release.
    private static List<Comparator> set(String text) throws Refused {
        var set = new LinkedHashSet<Comparator>();
        int hyphen = text.indexOf(HYPHEN);
        var from = hyphen < 0 ? null : PartialVersion.read(text, 0, hyphen);
        var to = hyphen < 0 ? null : PartialVersion.read(text, hyphen + HYPHEN.length(), text.length());
        if (from != null && to != null) {
            between(from, to, set);
        } else if (!text.isEmpty()) {
            for (String word : RangeSpaces.joinOperators(text).split(" ", -1)) {
                simple(word, set);
            }
        }
        return List.copyOf(set);
    }

    private static void between(PartialVersion from, PartialVersion to, Set<Comparator> set) throws Refused {
        if (!from.isAny()) {
            boolean isSpelt = from.isWhole() && isMarked(from.prefix().stripLeading());
            atLeast(from.lowest(), isSpelt, set);
        }
        if (to.isWhole()) {
            if (!to.isPrerelease()) {
                isMarked(to.prefix().stripLeading());
            }
            add(Operator.AT_MOST, to.lowest(), set);
        } else if (!to.isAny()) {
            add(Operator.BELOW, to.next(), set);
        }
    }

    /// Adds one comparator, or two for an operator such as `^`.
    private static void simple(String word, Set<Comparator> set) throws Refused {
        if (word.startsWith("^")) {
            var partial = PartialVersion.read(word, 1, word.length());
            if (partial != null) {
                range(partial, partial.isAny() ? LOWEST : partial.nextIncompatible(), set);
                return;
            }
        } else if (word.startsWith("~")) {
            var partial = PartialVersion.read(word, word.startsWith("~>") ? 2 : 1, word.length());
            if (partial != null) {
                range(partial, partial.isAny() ? LOWEST : partial.nextMinor(), set);
                return;
            }
        }
        int plain = operatorEnd(word);
        var partial = PartialVersion.read(word, plain, word.length());
        if (partial != null && partial.isInOrder() && !partial.isWhole()) {
            partial(word.substring(0, plain), partial, set);
        } else {
            whole(withoutStar(word), set);
        }
    }

    private static void range(PartialVersion partial, Point end, Set<Comparator> set) throws Refused {
        if (!partial.isAny()) {
            atLeast(partial.lowest(), false, set);
            add(Operator.BELOW, end, set);
        }
    }

    private static void partial(String operator, PartialVersion partial, Set<Comparator> set) throws Refused {
        switch (operator) {
            case "<", ">" -> {
                if (partial.isAny()) {
                    set.add(NOTHING);
                } else if (operator.equals("<")) {
                    add(Operator.BELOW, partial.lowest().firstPrerelease(), set);
                } else {
                    atLeast(partial.next().release(), false, set);
                }
            }
            case "<=" -> {
                if (!partial.isAny()) {
                    add(Operator.BELOW, partial.next(), set);
                }
            }
            case ">=" -> {
                if (!partial.isAny()) {
                    atLeast(partial.lowest(), false, set);
                }
            }
            default -> range(partial, partial.isAny() ? LOWEST : partial.next(), set);
        }
    }

    /// Adds a comparator with a complete version. An empty word adds nothing.
    private static void whole(String word, Set<Comparator> set) throws Refused {
        if (word.isEmpty()) {
            return;
        }
        int plain = operatorEnd(word);
        var version = PartialVersion.read(word, plain, word.length());
        if (version == null || !version.isWhole()) {
            throw new Refused();
        }
        boolean isMarked = isMarked(version.prefix());
        switch (word.substring(0, plain)) {
            case "<" -> add(Operator.BELOW, version.lowest(), set);
            case "<=" -> add(Operator.AT_MOST, version.lowest(), set);
            case ">" -> add(Operator.ABOVE, version.lowest(), set);
            case ">=" -> atLeast(version.lowest(), isMarked, set);
            default -> add(Operator.EQUAL, version.lowest(), set);
        }
    }

    /// Returns whether the prefix of a complete version is `v`, the only prefix allowed.
    private static boolean isMarked(String prefix) throws Refused {
        if (!prefix.isEmpty() && !prefix.equals("v")) {
            throw new Refused();
        }
        return !prefix.isEmpty();
    }

    /// @param spelt whether to keep a comparator that every release satisfies
    private static void atLeast(Point point, boolean spelt, Set<Comparator> set) throws Refused {
        if (spelt || !point.equals(LOWEST)) {
            add(Operator.AT_LEAST, point, set);
        }
    }

    private static void add(Operator operator, Point point, Set<Comparator> set) throws Refused {
        if (!point.isCountable()) {
            throw new Refused();
        }
        set.add(new Comparator(operator, point));
    }

    private static int operatorEnd(String word) {
        int end = word.startsWith("<") || word.startsWith(">") ? 1 : 0;
        return word.startsWith("=", end) ? end + 1 : end;
    }

    /// Removes build metadata, which has no meaning in a range, wherever it appears.
    private static String withoutBuild(String text) {
        var rest = new StringBuilder(text.length());
        int at = 0;
        for (int plus = text.indexOf('+'); plus >= 0; plus = text.indexOf('+', plus)) {
            int end = PartialVersion.identifiers(text, plus + 1, text.length());
            rest.append(text, at, end > plus + 1 ? plus : plus + 1);
            at = end;
            plus = end;
        }
        return rest.append(text, at, text.length()).toString();
    }

    /// Removes a star that is not part of a version, with its operator, as npm does.
    private static String withoutStar(String word) {
        int star = word.indexOf('*');
        if (star < 0) {
            return word;
        }
        int start = star > 0 && word.charAt(star - 1) == '=' ? star - 1 : star;
        if (start > 0 && (word.charAt(start - 1) == '<' || word.charAt(start - 1) == '>')) {
            start--;
        }
        return word.substring(0, start) + word.substring(star + 1);
    }
}
