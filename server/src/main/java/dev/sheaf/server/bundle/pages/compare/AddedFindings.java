package dev.sheaf.server.bundle.pages.compare;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.model.key.SecretScan;
import dev.sheaf.model.text.LineNumbers;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.server.bundle.check.TextChecks;
import dev.sheaf.server.bundle.pages.source.LinePiece;
import dev.sheaf.server.bundle.pages.source.MarkedText;
import dev.sheaf.server.console.ApiPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Hidden characters and probable secrets that a version adds.
///
/// @param what a description of the character or secret
public record AddedFindings(String path, int line, String what) {
    private static final int SHOWN = 12;
    private static final int ROOM = 6 << 10; // bytes of a page
    private static final int OF_A_FILE = 4;

    static List<AddedFindings> of(List<VersionDiff.Change> changes, Budget budget) {
        var found = new ArrayList<AddedFindings>();
        for (var change : changes) {
            budget.check();
            String diff = change.diff();
            if (diff != null && found.size() < SHOWN) {
                look(change.logicalPath(), new Sides(diff), found, budget);
            }
        }
        int room = ROOM;
        var shown = new ArrayList<AddedFindings>();
        for (var one : found) {
            room -= 200 + ApiPath.encodeFile(one.path()).length() + LinePiece.weight(one.path());
            if (room > 0 || shown.isEmpty()) {
                shown.add(one);
            }
        }
        return List.copyOf(shown);
    }

    /// Returns the removed lines, and the added lines with their numbers.
    private static final class Sides {
        private final StringBuilder gone = new StringBuilder();
        private final StringBuilder came = new StringBuilder();
        private final List<Integer> lines = new ArrayList<>();

        Sides(String diff) {
            for (var row : UnifiedDiff.rows(diff, 0, Integer.MAX_VALUE)) {
                if (row.kind() == '-') {
                    gone.append(row.text()).append('\n');
                } else if (row.kind() == '+') {
                    came.append(row.text()).append('\n');
                    lines.add(row.after());
                }
            }
        }
    }

    private static void look(String path, Sides sides, List<AddedFindings> found, Budget budget) {
        String before = sides.gone.toString();
        String after = sides.came.toString();
        var left = counts(before, budget);
        var first = new LinkedHashMap<Integer, Integer>();
        var lines = new LineNumbers(after);
        var hidden = TextChecks.hidden(after);
        for (int at = hidden.nextSetBit(0); at >= 0 && first.size() < OF_A_FILE; at = hidden.nextSetBit(at + 1)) {
            budget.check();
            int c = after.codePointAt(at);
            if (left.merge(c, -1, Integer::sum) < 0) {
                first.putIfAbsent(c, sides.lines.get(lines.of(at) - 1));
            }
            at += Character.charCount(c) - 1;
        }
        first.forEach((c, line) -> found.add(new AddedFindings(path, line, MarkedText.name(c))));
        var secrets = new ArrayList<SecretScan.Found>();
        SecretScan.find(after, secrets::add);
        secrets.stream()
                .limit(OF_A_FILE)
                .filter(secret -> !before.contains(after.substring(secret.from(), secret.to())))
                .forEach(secret -> found.add(new AddedFindings(
                        path, sides.lines.get(secret.line() - 1), "what looks like " + secret.what())));
    }

    private static Map<Integer, Integer> counts(String text, Budget budget) {
        var counts = new HashMap<Integer, Integer>();
        var hidden = TextChecks.hidden(text);
        for (int at = hidden.nextSetBit(0); at >= 0; at = hidden.nextSetBit(at + 1)) {
            budget.check();
            int c = text.codePointAt(at);
            counts.merge(c, 1, Integer::sum);
            at += Character.charCount(c) - 1;
        }
        return counts;
    }
}
