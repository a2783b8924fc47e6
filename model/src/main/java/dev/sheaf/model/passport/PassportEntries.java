package dev.sheaf.model.passport;

import dev.sheaf.model.key.SecretScan;
import dev.sheaf.model.passport.Passport.Entry;
import dev.sheaf.model.passport.Passport.Place;
import dev.sheaf.model.passport.Passport.Rows;
import dev.sheaf.model.text.Quoted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Collects the entries of a passport.
final class PassportEntries {
    private static final int MOST_KEPT = 2_000; // of a row, before the worst are chosen
    private static final int LONGEST = 120; // characters
    private static final int LONGEST_SHOWN = 240; // with hidden characters written out
    private static final Pattern BLANKS = Pattern.compile("\\s{1,300}");

    private record Key(String rule, String what, @Nullable String skill) {}

    private static final class Found {
        private final List<Place> places = new ArrayList<>(1);
        private int count;
        private @Nullable Severity worst;
        private String lastPath = "";
        private int lastLine;
    }

    private final Map<PassportRow, Map<Key, Found>> rows = new EnumMap<>(PassportRow.class);
    private boolean full;

    PassportEntries() {
        for (var row : PassportRow.values()) {
            rows.put(row, new LinkedHashMap<>());
        }
    }

    void add(PassportRule rule, String what, String path, int line) {
        add(rule, what, null, rule.severity(), path, line);
    }

    /// Adds a place of an entry. Places must come file by file.
    void add(
            PassportRule rule,
            String what,
            @Nullable String skill,
            @Nullable Severity severity,
            String path,
            int line) {
        var row = rows.get(rule.row());
        if (row == null) {
            return;
        }
        var key = new Key(rule.id(), shown(what), skill == null ? null : shown(skill));
        if (row.size() >= MOST_KEPT && !row.containsKey(key)) {
            full = true;
            // there is always room for the worst
            if (severity != Severity.HIGH || row.size() >= 2 * MOST_KEPT) {
                return;
            }
        }
        var found = row.computeIfAbsent(key, first -> new Found());
        if (severity != null && (found.worst == null || severity.compareTo(found.worst) > 0)) {
            found.worst = severity;
        }
        boolean isKnown =
                found.lastPath.equals(path) && (rule.row() != PassportRow.INSTRUCTIONS || found.lastLine == line);
        if (isKnown) {
            return;
        }
        found.lastPath = path;
        found.lastLine = line;
        found.count++;
        if (found.places.size() < Passport.MAX_PLACES) {
            found.places.add(new Place(path, line));
        }
    }

    /// Returns a text as a passport shows it: in one line, not long, without secrets.
    private static String shown(String text) {
        var plain = new StringBuilder(text.length() > 4 * LONGEST ? text.substring(0, 4 * LONGEST) : text);
        var secrets = new ArrayList<SecretScan.Found>();
        SecretScan.findAll(plain.toString(), secrets::add);
        secrets.sort(Comparator.comparing(SecretScan.Found::from).reversed());
        int before = Integer.MAX_VALUE;
        for (var secret : secrets) {
            if (secret.to() <= before) {
                plain.replace(secret.from(), secret.to(), secret.beginning() + "…");
                before = secret.from();
            }
        }
        String line = BLANKS.matcher(plain).replaceAll(" ").strip();
        String shown = Quoted.line(line, LONGEST);
        boolean isCut = line.codePointCount(0, line.length()) > LONGEST || shown.length() > LONGEST_SHOWN;
        return shown.substring(0, whole(shown, Math.min(shown.length(), LONGEST_SHOWN))) + (isCut ? "…" : "");
    }

    /// Returns an end that does not split a character.
    private static int whole(String text, int end) {
        return end > 0 && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
    }

    /// Returns whether a row had more entries than a passport shows.
    boolean isFull() {
        return full;
    }

    Rows rows() {
        return new Rows(
                row(PassportRow.RUNS),
                row(PassportRow.REACHES),
                row(PassportRow.TOOLS),
                row(PassportRow.SECRETS),
                row(PassportRow.LEAVES_BEHIND),
                row(PassportRow.INSTRUCTIONS));
    }

    private List<Entry> row(PassportRow row) {
        var all = new ArrayList<Entry>();
        rows.getOrDefault(row, Map.of())
                .forEach((key, found) -> all.add(new Entry(
                        key.rule(),
                        key.what(),
                        key.skill(),
                        found.worst == null ? null : found.worst.toString(),
                        found.places.stream()
                                .sorted(Comparator.comparing(Place::path).thenComparing(Place::line))
                                .toList(),
                        found.count)));
        if (all.size() > Passport.MAX_ENTRIES) {
            full = true;
            all.sort(Comparator.comparing((Entry entry) -> entry.level().orElse(Severity.INFO))
                    .thenComparing(Entry::count)
                    .reversed()
                    .thenComparing(Entry.ORDER));
            all.subList(Passport.MAX_ENTRIES, all.size()).clear();
        }
        all.sort(Entry.ORDER);
        return all;
    }
}
