package dev.sheaf.server.bundle.pages.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Reads unified diffs in the form that the API returns.
final class UnifiedDiff {
    private static final Pattern HUNK = Pattern.compile("@@ -([0-9]+)(?:,[0-9]+)? \\+([0-9]+)(?:,[0-9]+)? @@");

    private UnifiedDiff() {}

    /// @param kind a blank, `+`, `-`, or `@` for a gap
    /// @param before the number of the line in the old file; for a gap, of the next line
    /// @param text the line without the character of its kind
    record Row(char kind, int before, int after, String text) {
        boolean isChange() {
            return kind == '+' || kind == '-';
        }
    }

    /// Numbers of added and removed lines.
    record Count(int added, int removed) {}

    /// Receives the rows and returns whether to continue.
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

    /// @param skip the number of rows to skip
    /// @param most the maximum number of rows
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
