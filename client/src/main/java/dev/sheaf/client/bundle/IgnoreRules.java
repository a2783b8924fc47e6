package dev.sheaf.client.bundle;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.util.ArrayList;
import java.util.List;

/// Rules for files to leave out, in the grammar of gitignore(5): each line is a pattern, `#` begins a comment,
/// `!` includes files again, and the last matching line decides. Unlike in git, a file can be included again
/// even if its folder was left out.
record IgnoreRules(List<Rule> rules) {
    record Rule(Glob glob, boolean ignores) {}

    /// The decision of the rules on a path.
    enum Verdict {
        /// No line matches.
        SILENT,
        LEFT_OUT,
        TAKEN_IN
    }

    static final IgnoreRules NONE = new IgnoreRules(List.of());
    static final int MOST = 1_000;

    /// @throws ProblemException validation-failed if a pattern is invalid, or there are too many
    static IgnoreRules parse(List<String> lines) {
        var rules = new ArrayList<Rule>();
        for (String line : lines) {
            if (isPattern(line)) {
                if (rules.size() == MOST) {
                    throw Problem.invalid("range", "there are more than " + MOST + " patterns");
                }
                rules.add(rule(line.stripTrailing()));
            }
        }
        return new IgnoreRules(List.copyOf(rules));
    }

    /// Parses a file for git. Skips invalid patterns, like git.
    static IgnoreRules ofGit(List<String> lines) {
        var rules = new ArrayList<Rule>();
        for (String line : lines) {
            try {
                if (isPattern(line) && rules.size() < MOST) {
                    rules.add(rule(line.stripTrailing()));
                }
            } catch (ProblemException e) {
                // an invalid pattern matches nothing
            }
        }
        return new IgnoreRules(List.copyOf(rules));
    }

    private static boolean isPattern(String line) {
        String text = line.stripTrailing();
        return !text.isEmpty() && !text.startsWith("#") && !text.equals("!") && !text.equals("/");
    }

    private static Rule rule(String text) {
        boolean again = text.startsWith("!");
        return new Rule(Glob.of(again ? text.substring(1) : text), !again);
    }

    /// Returns the decision of the last matching line.
    ///
    /// @param path the path of a file, or of a folder with a slash at the end
    Verdict judge(String path) {
        for (Rule rule : rules.reversed()) {
            if (rule.glob().matches(path)) {
                return rule.ignores() ? Verdict.LEFT_OUT : Verdict.TAKEN_IN;
            }
        }
        return Verdict.SILENT;
    }

    /// Returns whether a line includes files again.
    boolean includesAgain() {
        return rules.stream().anyMatch(rule -> !rule.ignores());
    }
}
