package dev.sheaf.model;

import java.util.regex.Pattern;

/// White space in ranges.
final class RangeSpaces {
    /// The characters that JavaScript treats as white space (ECMA-262, 12.2 and 12.3), besides the space.
    private static final String OTHERS = "\t\n\u000b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
            + "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

    private static final Pattern TILDE = Pattern.compile("~>? ");

    private RangeSpaces() {}

    /// Replaces each run of white space with one space and trims both ends.
    static String normal(String text) {
        var normal = new StringBuilder(text.length());
        boolean gap = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ' ' || OTHERS.indexOf(c) >= 0) {
                gap = !normal.isEmpty();
            } else {
                normal.append(gap ? " " : "").append(c);
                gap = false;
            }
        }
        return normal.toString();
    }

    /// Removes the space that is allowed between an operator and its version.
    static String joinOperators(String text) {
        return TILDE.matcher(joinComparisons(text)).replaceAll("~").replace("^ ", "^");
    }

    private static String joinComparisons(String text) {
        var joined = new StringBuilder(text.length());
        int at = 0;
        while (at < text.length()) {
            int operator = text.charAt(at) == ' ' ? at + 1 : at;
            int end = operatorEnd(text, operator);
            int plain = end > operator && text.startsWith(" ", end) ? end + 1 : end;
            int number = PartialVersion.prefixEnd(text, plain, text.length());
            int after = versionEnd(text, number);
            if (after < 0) {
                after = Math.max(number, at + 1);
                joined.append(text, at, after);
            } else {
                joined.append(text, at, end).append(text, plain, after);
            }
            at = after;
        }
        return joined.toString();
    }

    private static int operatorEnd(String text, int from) {
        int end = text.startsWith("<", from) || text.startsWith(">", from) ? from + 1 : from;
        return text.startsWith("=", end) ? end + 1 : end;
    }

    /// Returns the end of a version, even a malformed one; -1 if there is no version.
    private static int versionEnd(String text, int from) {
        int loose = from;
        for (int i = 0; i < 3; i++) {
            int end = PartialVersion.digitsEnd(text, loose, text.length());
            if (end == loose || i < 2 && !text.startsWith(".", end)) {
                return partialEnd(text, from);
            }
            loose = i < 2 ? end + 1 : end;
        }
        int hyphen = text.startsWith("-", loose) ? loose + 1 : loose;
        int end = PartialVersion.identifiers(text, hyphen, text.length());
        return buildEnd(text, end == hyphen ? loose : end);
    }

    private static int partialEnd(String text, int from) {
        int[] ends = PartialVersion.numbers(text, from, text.length());
        int end = PartialVersion.lastOf(ends);
        if (end < 0 || ends[2] < 0) {
            return end;
        }
        int after = text.startsWith("-", end) ? PartialVersion.identifiers(text, end + 1, text.length()) : end;
        return buildEnd(text, after == end + 1 ? end : after);
    }

    private static int buildEnd(String text, int from) {
        int after = text.startsWith("+", from) ? PartialVersion.identifiers(text, from + 1, text.length()) : from;
        return after == from + 1 ? from : after;
    }
}
