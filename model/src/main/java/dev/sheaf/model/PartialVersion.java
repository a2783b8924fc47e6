package dev.sheaf.model;

import dev.sheaf.model.VersionRange.Point;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A version in a range, whose last parts may be missing or wildcards: `1`, `1.2.x`, `1.2.3-rc.1`.
///
/// @param prefix the characters before the first number, such as `v`; they have no meaning
/// @param major null if it is a wildcard; `minor` and `patch` are null if they are missing or wildcards
/// @param prerelease ignored if a number is missing
record PartialVersion(
        String prefix,
        @Nullable String major,
        @Nullable String minor,
        @Nullable String patch,
        List<String> prerelease) {
    private static final String WILDCARDS = "xX*";
    private static final List<String> FIRST = List.of("0");

    /// Parses the characters from `from` to `to`; null if they are not exactly one partial version.
    static @Nullable PartialVersion read(String text, int from, int to) {
        int start = prefixEnd(text, from, to);
        int[] ends = numbers(text, start, to);
        if (ends[0] < 0) {
            return null;
        }
        int end = lastOf(ends);
        var prerelease = List.<String>of();
        if (ends[2] >= 0 && end < to && text.charAt(end) == '-') {
            int after = identifiers(text, end + 1, to);
            prerelease = List.of(text.substring(end + 1, after).split("\\.", -1));
            end = prerelease.stream().allMatch(PartialVersion::isPrerelease) ? after : end;
        }
        if (ends[2] >= 0 && end < to && text.charAt(end) == '+') {
            int after = identifiers(text, end + 1, to);
            end = after > end + 1 ? after : end;
        }
        if (end != to) {
            return null;
        }
        return new PartialVersion(
                text.substring(from, start),
                number(text, start, ends[0]),
                ends[1] < 0 ? null : number(text, ends[0] + 1, ends[1]),
                ends[2] < 0 ? null : number(text, ends[1] + 1, ends[2]),
                prerelease);
    }

    /// Returns the end of the prefix before a version.
    static int prefixEnd(String text, int from, int to) {
        int end = from;
        while (end < to && "v= ".indexOf(text.charAt(end)) >= 0) {
            end++;
        }
        return end;
    }

    /// Returns the ends of up to three numbers or wildcards with dots between them; -1 for each missing one.
    static int[] numbers(String text, int from, int to) {
        int[] ends = {-1, -1, -1};
        int start = from;
        for (int i = 0; i < ends.length; i++) {
            ends[i] = numberEnd(text, start, to);
            if (ends[i] < 0 || ends[i] == to || text.charAt(ends[i]) != '.') {
                break;
            }
            start = ends[i] + 1;
        }
        return ends;
    }

    static int lastOf(int[] ends) {
        return Math.max(ends[0], Math.max(ends[1], ends[2]));
    }

    /// Returns the end of a number without leading zeros, or of a wildcard; -1 if there is neither.
    private static int numberEnd(String text, int from, int to) {
        if (from >= to) {
            return -1;
        }
        char first = text.charAt(from);
        if (first == '0' || WILDCARDS.indexOf(first) >= 0) {
            return from + 1;
        }
        int end = digitsEnd(text, from, to);
        return end == from ? -1 : end;
    }

    static int digitsEnd(String text, int from, int to) {
        int end = from;
        while (end < to && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end;
    }

    /// Returns the end of the identifiers, which have dots between them; `from` if there are no identifiers.
    static int identifiers(String text, int from, int to) {
        int end = identifier(text, from, to);
        while (end > from && end < to && text.charAt(end) == '.') {
            int next = identifier(text, end + 1, to);
            if (next == end + 1) {
                break;
            }
            end = next;
        }
        return end;
    }

    private static int identifier(String text, int from, int to) {
        int end = from;
        while (end < to && isWord(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isWord(char c) {
        return c == '-' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z';
    }

    private static boolean isPrerelease(String identifier) {
        boolean isNumber = digitsEnd(identifier, 0, identifier.length()) == identifier.length();
        return !identifier.isEmpty() && !(isNumber && identifier.length() > 1 && identifier.charAt(0) == '0');
    }

    private static @Nullable String number(String text, int from, int to) {
        return WILDCARDS.indexOf(text.charAt(from)) >= 0 ? null : text.substring(from, to);
    }

    /// Returns whether no number follows a wildcard.
    boolean isInOrder() {
        return (major != null || minor == null && patch == null) && (minor != null || patch == null);
    }

    boolean isAny() {
        return major == null;
    }

    boolean isWhole() {
        return major != null && minor != null && patch != null;
    }

    boolean isPrerelease() {
        return !prerelease.isEmpty();
    }

    /// Returns the lowest version that it matches.
    Point lowest() {
        return isWhole()
                ? new Point(value(major), value(minor), value(patch), prerelease)
                : new Point(value(major), value(minor), 0, List.of());
    }

    /// Returns the lowest point above all versions that it matches.
    Point next() {
        return minor == null ? major(1) : minor(1);
    }

    /// Returns the upper limit of `~`.
    Point nextMinor() {
        return next();
    }

    /// Returns the upper limit of `^`, which keeps the leftmost number that is not zero.
    Point nextIncompatible() {
        if (value(major) > 0 || minor == null) {
            return major(1);
        }
        return value(minor) > 0 || patch == null
                ? minor(1)
                : new Point(value(major), value(minor), value(patch) + 1, FIRST);
    }

    private Point major(int more) {
        return new Point(value(major) + more, 0, 0, FIRST);
    }

    private Point minor(int more) {
        return new Point(value(major), value(minor) + more, 0, FIRST);
    }

    private static long value(@Nullable String number) {
        return number == null ? 0 : Point.number(number);
    }
}
