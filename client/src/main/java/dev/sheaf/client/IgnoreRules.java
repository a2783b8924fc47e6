package dev.sheaf.client;

import java.util.ArrayList;
import java.util.List;

/// Which files are left out, as gitignore(5) has it: a pattern on each line, `#` begins a remark, `!` takes a file
/// in again, the last line that matches decides. Unlike there, a file can be taken in again also where its folder
/// was left out.
record IgnoreRules(List<Rule> rules) {
    record Rule(Glob glob, boolean ignores) {}

    static final IgnoreRules NONE = new IgnoreRules(List.of());

    static IgnoreRules parse(List<String> lines) {
        var rules = new ArrayList<Rule>();
        for (String line : lines) {
            String text = line.stripTrailing();
            if (!text.isEmpty() && !text.startsWith("#") && !text.equals("!") && !text.equals("/")) {
                boolean again = text.startsWith("!");
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
