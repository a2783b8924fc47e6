package dev.sheaf.model;

import java.math.BigInteger;
import java.util.ArrayList;

/// Semantic versions as text, for tests: their order by section 11 computed from the text alone, with numbers as
/// numbers, and random versions.
public final class Section11 {
    static final String ALPHANUMERIC = "0123456789ABXYZabxyz-";

    private Section11() {}

    /// Returns -1, 0 or 1 if the precedence of `a` is lower than, equal to or higher than that of `b`.
    public static int compare(String a, String b) {
        String[] left = a.split("\\+")[0].split("-", 2);
        String[] right = b.split("\\+")[0].split("-", 2);
        int core = compareLists(left[0], right[0]);
        if (core != 0 || left.length == 1 && right.length == 1) {
            return core;
        }
        if (left.length != right.length) {
            return left.length == 1 ? 1 : -1;
        }
        return compareLists(left[1], right[1]);
    }

    private static int compareLists(String a, String b) {
        String[] left = a.split("\\.");
        String[] right = b.split("\\.");
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            int one = compareIdentifiers(left[i], right[i]);
            if (one != 0) {
                return one;
            }
        }
        return Integer.compare(left.length, right.length);
    }

    private static int compareIdentifiers(String a, String b) {
        boolean number = a.matches("[0-9]+");
        if (number != b.matches("[0-9]+")) {
            return number ? -1 : 1;
        }
        return Integer.signum(number ? new BigInteger(a).compareTo(new BigInteger(b)) : a.compareTo(b));
    }

    /// Returns a version of any size, with or without prerelease and build metadata.
    public static String text(Gen gen) {
        String core = number(gen) + "." + number(gen) + "." + number(gen);
        String pre = gen.chance(0.6) ? "-" + identifiers(gen, true) : "";
        return core + pre + (gen.chance(0.3) ? "+" + identifiers(gen, false) : "");
    }

    private static String number(Gen gen) {
        return gen.chance(0.3)
                ? "0"
                : gen.text("123456789", 1, 1) + gen.text("0123456789", 0, gen.chance(0.1) ? 19 : 2);
    }

    private static String identifiers(Gen gen, boolean pre) {
        var identifiers = new ArrayList<String>();
        for (int i = gen.number(1, 3); i > 0; i--) {
            String word = gen.text(ALPHANUMERIC, 1, 5);
            identifiers.add(gen.chance(0.4) || pre && word.matches("0[0-9]+") ? number(gen) : word);
        }
        return String.join(".", identifiers);
    }
}
