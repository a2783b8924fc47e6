package dev.sheaf.cli.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;

/// Columns for people, each as wide as its longest value; the last one is not padded. It has no lines or
/// frames, so that `awk` and `cut` can read it.
public final class Table {
    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";
    private static final String GAP = "  ";
    private static final int NARROWEST_COLUMN = 8;

    /// Ways to shorten rows; the one that loses the least comes first.
    private static final List<UnaryOperator<String>> SHORTER =
            List.of(Text::withShortDigests, Text::withShortId, Text::withShortTime);

    private final List<String> head;
    private final BitSet right = new BitSet();
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... head) {
        this.head = List.of(head);
    }

    /// Aligns a column with its title to the right, for numbers and sizes.
    public Table right(String title) {
        right.set(head.indexOf(title));
        return this;
    }

    /// Adds a row with a value for each column. Control characters are replaced.
    public Table row(Object... values) {
        if (values.length != head.size()) {
            throw new IllegalArgumentException("a row of " + values.length + " values under " + head);
        }
        rows.add(Arrays.stream(values)
                .map(value -> Text.showable(String.valueOf(value)))
                .toList());
        return this;
    }

    /// Writes head and rows to standard output; without rows, `nothing` to standard error. On a narrow
    /// terminal, digests are shortened, then ids and times, then the widest columns.
    public void print(Shell shell, String nothing) {
        if (rows.isEmpty()) {
            shell.say(nothing);
            return;
        }
        var shown = shell.terminal() ? fitted(shell) : rows;
        int[] widths = widths(shown);
        String title = line(widths, head);
        shell.out().println(shell.colour() ? BOLD + title + PLAIN : title);
        shown.forEach(row -> shell.out().println(line(widths, row)));
    }

    private int[] widths(List<List<String>> shown) {
        int[] widths = new int[head.size()];
        widen(widths, head);
        shown.forEach(row -> widen(widths, row));
        return widths;
    }

    private List<List<String>> fitted(Shell shell) {
        if (total(widths(rows)) <= Window.NARROWEST) {
            return rows; // fits any terminal
        }
        int columns = shell.columns();
        var brief = rows;
        for (UnaryOperator<String> shorten : SHORTER) {
            if (total(widths(brief)) > columns) {
                brief = each(brief, shorten);
            }
        }
        while (total(widths(brief)) > columns) {
            int[] widths = widths(brief);
            int widest = widest(widths);
            int less = widths[widest] - (total(widths) - columns);
            if (widths[widest] <= Math.max(NARROWEST_COLUMN, Text.width(head.get(widest)))) {
                break; // the terminal wraps the lines
            }
            int most = Math.max(Math.max(NARROWEST_COLUMN, Text.width(head.get(widest))), less);
            brief = brief.stream()
                    .map(row -> {
                        var cut = new ArrayList<>(row);
                        cut.set(widest, Text.cut(row.get(widest), most));
                        return List.copyOf(cut);
                    })
                    .toList();
        }
        return brief;
    }

    /// Returns the widest column. Ignores numbers and the first column, whose names users type.
    private int widest(int[] widths) {
        int widest = widths.length - 1;
        for (int i = 1; i < widths.length; i++) {
            if (widths[i] > widths[widest] && !right.get(i)) {
                widest = i;
            }
        }
        return widest;
    }

    private static List<List<String>> each(List<List<String>> rows, UnaryOperator<String> change) {
        return rows.stream().map(row -> row.stream().map(change).toList()).toList();
    }

    private static int total(int[] widths) {
        return Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1);
    }

    private static void widen(int[] widths, List<String> row) {
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], Text.width(row.get(i)));
        }
    }

    private String line(int[] widths, List<String> row) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            int padding = widths[i] - Text.width(row.get(i));
            line.repeat(' ', right.get(i) ? padding : 0)
                    .append(row.get(i))
                    .repeat(' ', right.get(i) ? 0 : padding)
                    .append(GAP);
        }
        return line.toString().stripTrailing();
    }
}
