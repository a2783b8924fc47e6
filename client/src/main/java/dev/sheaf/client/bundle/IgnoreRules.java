package dev.sheaf.client.bundle;

import dev.sheaf.model.Problem;
import java.util.ArrayList;
import java.util.List;

/// Which files are left out, as gitignore(5) has it: a pattern on each line, `#` begins a remark, `!` takes a file
/// in again, the last line that matches decides. Unlike there, a file can be taken in again also where its folder
/// was left out.
record IgnoreRules(List<Rule> rules) {
    record Rule(Glob glob, boolean ignores) {}

    static final IgnoreRules NONE = new IgnoreRules(List.of());
    static final int MOST = 1_000;

    /// @throws dev.sheaf.model.ProblemException validation-failed where a pattern is none, or there are too many
    static IgnoreRules parse(List<String> lines) {
        var rules = new ArrayList<Rule>();
        for (String line : lines) {
            String text = line.stripTrailing();
            if (!text.isEmpty() && !text.startsWith("#") && !text.equals("!") && !text.equals("/")) {
                boolean again = text.startsWith("!");
                if (rules.size() == MOST) {
                    throw Problem.invalid("range", "there are more than " + MOST + " patterns");
                }
                rules.add(new Rule(Glob.of(again ? text.substring(1) : text), !again));
            }
        }
        return new IgnoreRules(List.copyOf(rules));
    }

    boolean ignores(String path) {
        boolean ignored = false;
        for (Rule rule : rules) {
            if (rule.ignores() != ignored && rule.glob().matches(path)) {
                ignored = rule.ignores();
            }
        }
        return ignored;
    }
}
