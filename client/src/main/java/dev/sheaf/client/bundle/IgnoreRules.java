package dev.sheaf.client.bundle;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.util.ArrayList;
import java.util.List;

/// Which files are left out, as gitignore(5) has it: a pattern on each line, `#` begins a remark, `!` takes a file
/// in again, the last line that matches decides. Unlike there, a file can be taken in again also where its folder
/// was left out.
record IgnoreRules(List<Rule> rules) {
    record Rule(Glob glob, boolean ignores) {}

    /// What rules say of a path.
    enum Verdict {
        /// No line is about it.
        SILENT,
        LEFT_OUT,
        TAKEN_IN
    }

    static final IgnoreRules NONE = new IgnoreRules(List.of());
    static final int MOST = 1_000;

    /// @throws ProblemException validation-failed where a pattern is none, or there are too many
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

    /// Those of a file that is written for git, which passes over what it does not understand.
    static IgnoreRules ofGit(List<String> lines) {
        var rules = new ArrayList<Rule>();
        for (String line : lines) {
            try {
                if (isPattern(line) && rules.size() < MOST) {
                    rules.add(rule(line.stripTrailing()));
                }
            } catch (ProblemException e) {
                // it matches nothing
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

    /// What the last line says that matches.
    ///
    /// @param path of a file, or of a folder with a slash behind it
    Verdict judge(String path) {
        for (Rule rule : rules.reversed()) {
            if (rule.glob().matches(path)) {
                return rule.ignores() ? Verdict.LEFT_OUT : Verdict.TAKEN_IN;
            }
        }
        return Verdict.SILENT;
    }

    /// Whether a line takes something in again.
    boolean takesIn() {
        return rules.stream().anyMatch(rule -> !rule.ignores());
    }
}
