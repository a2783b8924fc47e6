package dev.sheaf.server.console.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Reads unified diffs as the API makes them.
final class Unified {
    private static final Pattern HUNK = Pattern.compile("@@ -([0-9]+)(?:,[0-9]+)? \\+([0-9]+)(?:,[0-9]+)? @@");

    private Unified() {}

    /// @param kind a blank, `+`, `-`, or `@` where lines were left out
    /// @param before number of the line; of one that was left out, the next
    /// @param text without what tells its kind
    record Row(char kind, int before, int after, String text) {
        boolean isChange() {
            return kind == '+' || kind == '-';
        }
    }

    /// Lines that were added and removed.
    record Count(int added, int removed) {}

    /// Takes what is read, and says whether it goes on.
    private interface Reader {
        boolean take(Row row);
    }

    static Count count(String diff) {
        int[] counts = new int[2];
        read(diff, row -> {
            counts[0] += row.kind == '+' ? 1 : 0;
            counts[1] += row.kind == '-' ? 1 : 0;
            return true;
        });
        return new Count(counts[0], counts[1]);
    }

    /// @param skip rows at its beginning
    /// @param most rows
    static List<Row> rows(String diff, int skip, int most) {
        var rows = new ArrayList<Row>();
        int[] passed = {0};
        read(diff, row -> {
            if (passed[0]++ >= skip) {
                rows.add(row);
            }
            return rows.size() < most;
        });
        return rows;
    }

    private static void read(String diff, Reader reader) {
        int at = diff.indexOf("@@");
        int before = 1;
        int after = 1;
        boolean more = true;
        while (more && at >= 0 && at < diff.length()) {
            int feed = diff.indexOf('\n', at);
            int end = feed < 0 ? diff.length() : feed;
            char kind = diff.charAt(at);
            if (kind == '@') {
                var head = HUNK.matcher(diff).region(at, end);
                if (head.lookingAt()) {
                    before = Integer.parseInt(head.group(1));
                    after = Integer.parseInt(head.group(2));
                }
                more = reader.take(new Row('@', before, after, ""));
            } else if (kind != '\\') {
                more = reader.take(new Row(kind, before, after, text(diff, at + 1, end)));
                before += kind == '+' ? 0 : 1;
                after += kind == '-' ? 0 : 1;
            }
            at = end + 1;
        }
    }

    private static String text(String diff, int from, int end) {
        boolean ends = end > from && diff.charAt(end - 1) == '\r';
        return diff.substring(Math.min(from, end), ends ? end - 1 : end);
    }
}
