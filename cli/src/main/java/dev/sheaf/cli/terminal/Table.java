package dev.sheaf.cli.terminal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Columns for people, each as wide as its longest value; the last one is not padded. It has no lines or
/// frames, so that `awk` and `cut` can read it.
public final class Table<T> {
    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";
    private static final String GAP = "  ";
    private static final int NARROWEST_COLUMN = 8;

    /// Ways to shorten rows; the one that loses the least comes first.
    private static final List<UnaryOperator<String>> SHORTER =
            List.of(TextFormat::withShortDigests, TextFormat::withShortId, TextFormat::withShortTime);

    /// Returns what a column shows of an entry: a time to the second, null as `-`. Control characters are replaced.
    public interface Cell<T> {
        @Nullable
        Object of(T entry);
    }

    private final List<String> head = new ArrayList<>();
    private final List<Cell<T>> cells = new ArrayList<>();
    private final BitSet right = new BitSet();

    public Table<T> column(String title, Cell<T> cell) {
        head.add(title);
        cells.add(cell);
        return this;
    }

    /// Adds a column of numbers or sizes, which are aligned to the right.
    public Table<T> number(String title, Cell<T> cell) {
        right.set(head.size());
        return column(title, cell);
    }

    private static String text(@Nullable Object value) {
        return value instanceof Instant time
                ? TextFormat.time(time)
                : TextFormat.showable(value == null ? "-" : value.toString());
    }

    /// Writes head and rows to standard output; without rows, `nothing` to standard error. On a narrow
    /// terminal, digests are shortened, then ids and times, then the widest columns.
    public void print(Shell shell, List<T> entries, String nothing) {
        if (entries.isEmpty()) {
            shell.say(nothing);
            return;
        }
        var rows = entries.stream()
                .map(entry -> cells.stream().map(cell -> text(cell.of(entry))).toList())
                .toList();
        var shown = shell.terminal() ? fitted(rows, shell) : rows;
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

    private List<List<String>> fitted(List<List<String>> rows, Shell shell) {
        if (total(widths(rows)) <= TerminalWidth.NARROWEST) {
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
            if (widths[widest] <= Math.max(NARROWEST_COLUMN, TextFormat.width(head.get(widest)))) {
                break; // the terminal wraps the lines
            }
            int most = Math.max(Math.max(NARROWEST_COLUMN, TextFormat.width(head.get(widest))), less);
            brief = brief.stream()
                    .map(row -> {
                        var cut = new ArrayList<>(row);
                        cut.set(widest, TextFormat.cut(row.get(widest), most));
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
            widths[i] = Math.max(widths[i], TextFormat.width(row.get(i)));
        }
    }

    private String line(int[] widths, List<String> row) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            int padding = widths[i] - TextFormat.width(row.get(i));
            line.repeat(' ', right.get(i) ? padding : 0)
                    .append(row.get(i))
                    .repeat(' ', right.get(i) ? 0 : padding)
                    .append(GAP);
        }
        return line.toString().stripTrailing();
    }
}
