package dev.sheaf.model;

import java.util.List;
import java.util.Optional;

/// A range of versions as npm's `semver` reads it, with its default options (contract 2): sets of comparators. A
/// version is in the range if it satisfies all comparators of one set. A text that npm refuses is refused.
/// Immutable.
///
/// As with npm, no range contains a version whose major, minor or patch exceeds 2^53 - 1, and numbers in a
/// prerelease are compared as 64-bit floating point. A set only contains a prerelease if one of its comparators
/// names a prerelease of the same major, minor and patch.
public final class VersionRange {
    /// The limit in characters. It also limits the number of comparators, and so the cost of checking a
    /// version.
    public static final int MAX_LENGTH = 256;

    private final List<List<Comparator>> sets;

    VersionRange(List<List<Comparator>> sets) {
        this.sets = sets.stream().map(List::copyOf).toList();
    }

    /// Returns the range that `text` spells; empty if npm refuses it or it is longer than [#MAX_LENGTH].
    public static Optional<VersionRange> find(String text) {
        return text.length() > MAX_LENGTH ? Optional.empty() : RangeParser.parse(text);
    }

    /// Returns whether the version is in this range, in time proportional to the length of the range.
    public boolean contains(Version version) {
        return Point.of(version).filter(this::contains).isPresent();
    }

    private boolean contains(Point point) {
        for (var set : sets) {
            if (contains(set, point)) {
                return true;
            }
        }
        return false;
    }

    private static boolean contains(List<Comparator> set, Point point) {
        boolean isNamed = point.prerelease().isEmpty();
        for (var comparator : set) {
            if (!comparator.admits(point)) {
                return false;
            }
            isNamed |= comparator.point().isPrereleaseBeside(point);
        }
        return isNamed;
    }

    /// Returns the first version of `newestFirst` that is in this range.
    public Optional<Version> highest(List<Version> newestFirst) {
        return newestFirst.stream().filter(this::contains).findFirst();
    }

    enum Operator {
        BELOW,
        AT_MOST,
        EQUAL,
        AT_LEAST,
        ABOVE
    }

    record Comparator(Operator operator, Point point) {
        private boolean admits(Point version) {
            int order = version.compareTo(point);
            return switch (operator) {
                case BELOW -> order < 0;
                case AT_MOST -> order <= 0;
                case EQUAL -> order == 0;
                case AT_LEAST -> order >= 0;
                case ABOVE -> order > 0;
            };
        }
    }

    /// A position in the order of versions.
    record Point(long major, long minor, long patch, List<String> prerelease) implements Comparable<Point> {
        /// The largest safe integer of JavaScript.
        static final long MAX_NUMBER = (1L << 53) - 1;

        private static final int MAX_DIGITS = 16;

        static Optional<Point> of(Version version) {
            return of(version.major(), version.minor(), version.patch(), version.prerelease());
        }

        /// Returns the point; empty if a number is too large.
        static Optional<Point> of(String major, String minor, String patch, List<String> prerelease) {
            var point = new Point(number(major), number(minor), number(patch), prerelease);
            return point.isCountable() ? Optional.of(point) : Optional.empty();
        }

        static long number(String digits) {
            return digits.length() > MAX_DIGITS ? MAX_NUMBER + 1 : Long.parseLong(digits);
        }

        boolean isCountable() {
            return major <= MAX_NUMBER && minor <= MAX_NUMBER && patch <= MAX_NUMBER;
        }

        Point release() {
            return new Point(major, minor, patch, List.of());
        }

        /// Returns the lowest prerelease of this release.
        Point firstPrerelease() {
            return new Point(major, minor, patch, List.of("0"));
        }

        private boolean isSameRelease(Point other) {
            return major == other.major && minor == other.minor && patch == other.patch;
        }

        private boolean isPrereleaseBeside(Point other) {
            return !prerelease.isEmpty() && isSameRelease(other);
        }

        @Override
        public int compareTo(Point other) {
            if (!isSameRelease(other)) {
                return major != other.major
                        ? Long.compare(major, other.major)
                        : minor != other.minor ? Long.compare(minor, other.minor) : Long.compare(patch, other.patch);
            }
            if (prerelease.isEmpty() || other.prerelease.isEmpty()) {
                return Boolean.compare(prerelease.isEmpty(), other.prerelease.isEmpty());
            }
            int shared = Math.min(prerelease.size(), other.prerelease.size());
            for (int i = 0; i < shared; i++) {
                int order = compare(prerelease.get(i), other.prerelease.get(i));
                if (order != 0) {
                    return order;
                }
            }
            return Integer.compare(prerelease.size(), other.prerelease.size());
        }

        private static int compare(String a, String b) {
            boolean isNumber = isDigits(a);
            if (isNumber != isDigits(b)) {
                return isNumber ? -1 : 1;
            }
            return isNumber ? Double.compare(Double.parseDouble(a), Double.parseDouble(b)) : a.compareTo(b);
        }

        private static boolean isDigits(String text) {
            return text.chars().allMatch(c -> c >= '0' && c <= '9');
        }
    }
}
