package dev.sheaf.model.passport;

import dev.sheaf.model.passport.Passport.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The words for the rows of a passport, the same on pages and in a terminal.
public final class PassportSummary {
    private static final int NAMES = 4; // of a phrase
    private static final int TOOLS = 12;
    private static final String HOST = "host";
    private static final String LINK = "link";
    private static final String SCRIPT = "script";
    private static final String EXECUTABLE = "executable-script";

    private PassportSummary() {}

    /// A part of a row, such as `2 scripts: a.sh, b.py`.
    ///
    /// @param lead the words before the names; empty if the names speak for themselves
    /// @param more the number of names that are left out
    public record Phrase(String lead, List<Name> names, int more) {
        public Phrase {
            names = List.copyOf(names);
        }

        /// Returns it as a text.
        @Override
        public String toString() {
            String listed =
                    names.stream().map(name -> name.text() + name.after()).collect(Collectors.joining(", "));
            return lead + (lead.isEmpty() || listed.isEmpty() ? "" : ": ") + listed + rest();
        }

        /// Returns the words for what is left out; empty if nothing is.
        public String rest() {
            return more == 0 || names.isEmpty() ? "" : " and " + more + " more";
        }
    }

    /// @param after words after the name, with a space before them
    public record Name(String text, String after) {}

    /// A thing that is new or gone.
    ///
    /// @param lead what it is, such as `script`; empty if the name speaks for itself
    /// @param after words after the name, with a space or comma before them
    public record News(boolean isAdded, String lead, String what, String after, Entry entry) {
        /// Returns it as a text.
        @Override
        public String toString() {
            return (lead.isEmpty() ? "" : lead + " ") + what + after;
        }

        /// Returns whether it is a finding that somebody should look at.
        public boolean isBad() {
            return isAdded
                    && entry.level()
                            .filter(level -> level.compareTo(Severity.MEDIUM) >= 0)
                            .isPresent();
        }
    }

    /// Returns the label of a row.
    public static String label(PassportRow row) {
        return switch (row) {
            case RUNS -> "Runs";
            case REACHES -> "Reaches";
            case TOOLS -> "Asks for tools";
            case SECRETS -> "Reads secrets";
            case LEAVES_BEHIND -> "Leaves behind";
            case INSTRUCTIONS -> "Instructions";
        };
    }

    /// Returns the words for a row without entries.
    public static String none(PassportRow row) {
        return row == PassportRow.LEAVES_BEHIND ? "nothing: no hook, MCP entry or profile" : "none found";
    }

    /// Returns the words for a row; empty if it has no entries.
    public static List<Phrase> of(PassportRow row, List<Entry> entries) {
        if (entries.isEmpty()) {
            return List.of();
        }
        if (row == PassportRow.TOOLS) {
            var tools = entries.stream().map(Entry::what).distinct().sorted().toList();
            return List.of(
                    phrase("", tools.stream().map(tool -> new Name(tool, "")).toList(), TOOLS));
        }
        var groups = new LinkedHashMap<String, List<Entry>>();
        entries.forEach(entry ->
                groups.computeIfAbsent(many(entry), first -> new ArrayList<>()).add(entry));
        return groups.values().stream().map(PassportSummary::phrase).toList();
    }

    private static Phrase phrase(List<Entry> group) {
        var first = group.getFirst();
        if (first.rule().equals(LINK)) {
            return new Phrase("links to " + group.size() + (group.size() == 1 ? " host" : " hosts"), List.of(), 0);
        }
        if (first.rule().equals(HOST)) {
            var names = group.stream()
                    .sorted(Comparator.comparing(Entry::count).reversed().thenComparing(Entry::what))
                    .map(entry ->
                            new Name(entry.what(), " in " + entry.count() + (entry.count() == 1 ? " file" : " files")))
                    .toList();
            return phrase("", names, NAMES);
        }
        String lead = group.size() + " " + (group.size() == 1 ? one(first) : many(first));
        return phrase(
                lead, group.stream().map(entry -> new Name(entry.what(), "")).toList(), NAMES);
    }

    private static Phrase phrase(String lead, List<Name> names, int most) {
        return names.size() <= most
                ? new Phrase(lead, names, 0)
                : new Phrase(lead, names.subList(0, most), names.size() - most);
    }

    private static String one(Entry entry) {
        return PassportRules.find(entry.rule()).map(PassportRule::one).orElse(entry.rule());
    }

    private static String many(Entry entry) {
        return PassportRules.find(entry.rule()).map(PassportRule::many).orElse(entry.rule());
    }

    /// Returns what is new in a row and what is gone, the new first. A host that is named and linked counts as
    /// named.
    public static List<News> news(PassportRow row, PassportChange change) {
        var gone = new ArrayList<>(change.gone().of(row));
        var news = new ArrayList<News>();
        for (Entry entry : change.added().of(row)) {
            var before = before(entry, gone);
            if (before == null) {
                news.add(news(true, entry, ""));
            } else {
                gone.remove(before);
                news.add(news(true, entry, after(entry)));
            }
        }
        gone.forEach(entry -> news.add(news(false, entry, "")));
        var named = news.stream()
                .filter(one -> one.entry().rule().equals(HOST))
                .collect(Collectors.groupingBy(News::isAdded, Collectors.mapping(News::what, Collectors.toSet())));
        news.removeIf(one -> one.entry().rule().equals(LINK)
                && named.getOrDefault(one.isAdded(), Set.of()).contains(one.what()));
        return news;
    }

    private static String after(Entry entry) {
        return switch (entry.rule()) {
            case EXECUTABLE -> " became executable";
            case SCRIPT -> " is no longer executable";
            case HOST -> " is named in code now";
            default -> " is only linked now";
        };
    }

    /// Returns the entry from which another came, by a change of its mode or of its kind.
    private static @Nullable Entry before(Entry entry, List<Entry> gone) {
        String other = switch (entry.rule()) {
            case EXECUTABLE -> SCRIPT;
            case SCRIPT -> EXECUTABLE;
            case HOST -> LINK;
            case LINK -> HOST;
            default -> "";
        };
        return gone.stream()
                .filter(old -> old.rule().equals(other) && old.what().equals(entry.what()))
                .findFirst()
                .orElse(null);
    }

    private static News news(boolean isAdded, Entry entry, String after) {
        String lead = switch (entry.rule()) {
            case HOST, "tool" -> "";
            case LINK -> "link to";
            default -> one(entry);
        };
        String skill = Objects.requireNonNullElse(entry.skill(), "");
        return new News(isAdded, lead, entry.what(), skill.isEmpty() ? after : ", in " + skill + after, entry);
    }
}
