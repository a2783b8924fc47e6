package dev.sheaf.cli.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// Columns for people, each as wide as its longest value; the last one is not padded. Without lines and frames, so
/// that `awk` and `cut` can work with it.
public final class Table {
    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";
    private static final String GAP = "  ";

    private final List<String> head;
    private final BitSet right = new BitSet();
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... head) {
        this.head = List.of(head);
    }

    /// Sets the values of this column, and its title, to the right: numbers, and sizes.
    public Table right(String title) {
        right.set(head.indexOf(title));
        return this;
    }

    /// A row of as many values as there are columns; what would drive a terminal is taken out of them.
    public Table row(Object... values) {
        if (values.length != head.size()) {
            throw new IllegalArgumentException("a row of " + values.length + " values under " + head);
        }
        rows.add(Arrays.stream(values)
                .map(value -> Text.showable(String.valueOf(value)))
                .toList());
        return this;
    }

    /// Writes head and rows to standard output; where there is no row, says `nothing` on standard error instead.
    public void print(Shell shell, String nothing) {
        if (rows.isEmpty()) {
            shell.say(nothing);
            return;
        }
        int[] widths = new int[head.size()];
        widen(widths, head);
        rows.forEach(row -> widen(widths, row));
        String title = line(widths, head);
        shell.out().println(shell.colour() ? BOLD + title + PLAIN : title);
        rows.forEach(row -> shell.out().println(line(widths, row)));
    }

    private static void widen(int[] widths, List<String> row) {
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], length(row.get(i)));
        }
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    private String line(int[] widths, List<String> row) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            int padding = widths[i] - length(row.get(i));
            line.repeat(' ', right.get(i) ? padding : 0)
                    .append(row.get(i))
                    .repeat(' ', right.get(i) ? 0 : padding)
                    .append(GAP);
        }
        return line.toString().stripTrailing();
    }
}
