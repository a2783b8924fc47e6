package dev.sheaf.cli.command;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/// Finds the name that a user probably meant by a mistyped one.
public final class SimilarNames {
    /// The names that other programs have for these commands.
    private static final Map<String, String> ELSEWHERE = Map.ofEntries(
            Map.entry("get", "pull"),
            Map.entry("download", "pull"),
            Map.entry("fetch", "pull"),
            Map.entry("clone", "pull"),
            Map.entry("upgrade", "update"),
            Map.entry("uninstall", "remove"),
            Map.entry("upload", "push"),
            Map.entry("unpublish", "delete"),
            Map.entry("undelete", "restore"),
            Map.entry("show", "info"),
            Map.entry("view", "info"),
            Map.entry("inspect", "info"),
            Map.entry("find", "search"),
            Map.entry("browse", "open"),
            Map.entry("tree", "resolve --tree"),
            Map.entry("policy", "keys policy"),
            Map.entry("tag", "tags"),
            Map.entry("validate", "lint"),
            Map.entry("check", "lint"),
            Map.entry("signin", "login"),
            Map.entry("auth", "login"),
            Map.entry("token", "keys create"),
            Map.entry("team", "members"),
            Map.entry("users", "members"),
            Map.entry("start", "serve"),
            Map.entry("run", "serve"));

    private static final int SHORT = 4;

    private SimilarNames() {}

    /// Returns the command of `names` that was probably meant.
    public static Optional<String> command(String typed, Collection<String> names) {
        var elsewhere =
                Optional.ofNullable(ELSEWHERE.get(typed)).filter(command -> names.contains(command.split(" ")[0]));
        return elsewhere.or(() -> of(typed, names));
    }

    /// Returns the nearest name that differs in at most two letters, or in at most one if the typed name is
    /// short.
    public static Optional<String> of(String typed, Collection<String> names) {
        int most = typed.length() <= SHORT ? 1 : 2;
        return names.stream()
                .filter(name -> distance(typed, name) <= most)
                .min(Comparator.<String>comparingInt(name -> distance(typed, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /// Returns the number of letters that are missing, added, wrong or swapped with the next (optimal string
    /// alignment).
    private static int distance(String a, String b) {
        int[][] steps = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                steps[i][j] = i == 0 || j == 0 ? i + j : step(steps, a, b, i, j);
            }
        }
        return steps[a.length()][b.length()];
    }

    private static int step(int[][] steps, String a, String b, int i, int j) {
        int wrong = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least = Math.min(Math.min(steps[i - 1][j], steps[i][j - 1]) + 1, steps[i - 1][j - 1] + wrong);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
    }
}
