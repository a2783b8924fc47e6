package dev.sheaf.server.bundle.pages.compare;

import dev.sheaf.server.bundle.diff.WordDiff;
import dev.sheaf.server.bundle.pages.source.LinePiece;
import dev.sheaf.server.bundle.pages.source.LinePieces;
import dev.sheaf.server.bundle.pages.source.MarkedText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// The changes of a file, as far as a page has room.
///
/// @param next the number of rows before the rest; 0 if there is no rest
/// @param weight the approximate number of bytes that it takes on a page
public record FileDiff(List<Row> rows, int next, int weight) {
    private static final int MAX_ROWS = 3_000;
    private static final int ROW = 220; // bytes of the elements of a row
    private static final int LINE = 6 << 10; // bytes of a line
    private static final int OPENED = 100; // lines of a gap that one link opens

    public FileDiff {
        rows = List.copyOf(rows);
    }

    /// A line.
    ///
    /// @param kind a blank, `+`, `-`, or `@` for a gap
    /// @param before its number in the old file; null if it is not there
    /// @param gap the number of lines left out
    /// @param isCut whether the end of the line is missing; of a gap, whether the page has no room to open it
    public record Row(
            char kind,
            @Nullable Integer before,
            @Nullable Integer after,
            int gap,
            List<LinePiece> pieces,
            boolean isCut) {
        public Row {
            pieces = List.copyOf(pieces);
        }

        /// Returns the end of its id in a page, which no other line of the file has.
        public String id() {
            return kind == '-' || after == null ? "l" + before : "r" + after;
        }

        public String css() {
            return kind == '+' ? "add" : kind == '-' ? "del" : "";
        }

        public boolean isGap() {
            return kind == '@';
        }

        /// Returns the numbers of the lines left out, in the new file.
        public String left() {
            int last = after == null ? 0 : after - 1;
            return (last - gap + 1) + " to " + last;
        }

        public int firstLeft() {
            return after == null ? 1 : Math.max(1, after - gap);
        }
    }

    /// Two lines side by side.
    public record Pair(@Nullable Row before, @Nullable Row after) {}

    /// The page that shows a file.
    ///
    /// @param room the available bytes
    /// @param link the bytes of the link to lines left out
    /// @param isSplit whether lines that are the same stand on both sides
    record Page(int room, int link, boolean isSplit) {}

    static FileDiff of(String diff, int skip, Page page, OpenedGaps opened, WordDiff words) {
        var rows = UnifiedDiff.rows(diff, skip, MAX_ROWS + 1);
        return new Builder(rows, page, opened, words).build(skip);
    }

    /// Returns the lines side by side: removed lines, and the lines that replace them.
    public List<Pair> pairs() {
        var pairs = new ArrayList<Pair>();
        int at = 0;
        while (at < rows.size()) {
            var run = Run.at(at, rows.size(), i -> rows.get(i).kind());
            for (int i = 0; i < Math.max(run.removed(), run.added()); i++) {
                pairs.add(new Pair(
                        i < run.removed() ? rows.get(run.gone() + i) : null,
                        i < run.added() ? rows.get(run.came() + i) : null));
            }
            if (run.isEmpty()) {
                pairs.add(new Pair(rows.get(at), rows.get(at)));
            }
            at = run.next();
        }
        return pairs;
    }

    /// Removed rows, and the rows that replace them.
    ///
    /// @param gone the first removed row
    /// @param came the first row that replaces them
    private record Run(int gone, int came, int end) {
        static Run at(int from, int size, IntFunction<Character> kind) {
            int came = from;
            while (came < size && kind.apply(came) == '-') {
                came++;
            }
            int end = came;
            while (end < size && kind.apply(end) == '+') {
                end++;
            }
            return new Run(from, came, end);
        }

        int removed() {
            return came - gone;
        }

        int added() {
            return end - came;
        }

        boolean isEmpty() {
            return gone == end;
        }

        /// Returns the next row: after a row without a change, the following one.
        int next() {
            return Math.max(end, gone + 1);
        }
    }

    private static final class Builder {
        private final List<UnifiedDiff.Row> rows;
        private final int[] places; // of rows, in the text of their side
        private final MarkedText old;
        private final MarkedText now;
        private final OpenedGaps opened;
        private final List<Row> made = new ArrayList<>();
        private final Page page;
        private int left; // bytes of the page

        Builder(List<UnifiedDiff.Row> rows, Page page, OpenedGaps opened, WordDiff words) {
            this.rows = rows;
            this.page = page;
            this.left = page.room();
            this.opened = opened;
            this.places = new int[rows.size()];
            var before = new StringBuilder();
            var after = new StringBuilder();
            for (int i = 0; i < rows.size(); i++) {
                var row = rows.get(i);
                var side = row.kind() == '-' ? before : after;
                places[i] = side.length();
                side.append(row.text()).append('\n');
                if (row.kind() == ' ') {
                    before.append(row.text()).append('\n');
                }
            }
            this.old = MarkedText.of(before.toString());
            this.now = MarkedText.of(after.toString());
            mark(words);
        }

        /// Compares each removed line with its replacement.
        private void mark(WordDiff words) {
            int at = 0;
            while (at < rows.size()) {
                var run = Run.at(at, rows.size(), i -> rows.get(i).kind());
                for (int i = 0; i < Math.min(run.removed(), run.added()); i++) {
                    mark(run.gone() + i, run.came() + i, words);
                }
                at = run.next();
            }
        }

        private void mark(int gone, int came, WordDiff words) {
            var found = words.between(rows.get(gone).text(), rows.get(came).text());
            found.before().forEach(span -> old.change(places[gone] + span.from(), places[gone] + span.to()));
            found.after().forEach(span -> now.change(places[came] + span.from(), places[came] + span.to()));
        }

        FileDiff build(int skip) {
            int lastAfter = 0;
            for (int i = 0; i < rows.size(); i++) {
                if (i >= MAX_ROWS || left <= 0) {
                    return new FileDiff(made, skip + i, page.room() - left);
                }
                var row = rows.get(i);
                boolean resumed = i == 0 && skip > 0;
                if (row.kind() == '@') {
                    int gap = resumed ? 0 : Math.max(0, row.after() - lastAfter - 1);
                    gap(row.after() - gap, gap, row.before() - row.after());
                } else {
                    var side = row.kind() == '-' ? old : now;
                    int end = places[i] + row.text().length();
                    var taken = LinePieces.of(side, places[i], end, LINE);
                    Integer before = row.kind() == '+' ? null : Integer.valueOf(row.before());
                    Integer after = row.kind() == '-' ? null : Integer.valueOf(row.after());
                    made.add(new Row(row.kind(), before, after, 0, taken.pieces(), taken.end() < end));
                    left -= ROW + weight(row.kind(), taken);
                    lastAfter = row.kind() == '-' ? lastAfter : row.after();
                }
            }
            return new FileDiff(made, 0, page.room() - left);
        }

        /// Adds lines left out: a row that tells how many they are, or the lines themselves if they are open.
        ///
        /// @param first the number of the first in the new file
        /// @param shift what to add for their numbers in the old file
        private void gap(int first, int count, int shift) {
            if (count <= 0) {
                return;
            }
            boolean isFull = opened.contains(first, count) && left <= 0;
            if (isFull || !opened.contains(first, count)) {
                add(first, count, shift, isFull);
                return;
            }
            int head = count <= OPENED ? count : OPENED / 2;
            int open = lines(first, head, shift);
            if (open < head) {
                add(first + open, count - open, shift, true);
            } else if (head < count) {
                gap(first + head, count - 2 * head, shift);
                int tail = first + count - head;
                int shown = lines(tail, head, shift);
                if (shown < head) {
                    add(tail + shown, head - shown, shift, true);
                }
            }
        }

        private void add(int first, int count, int shift, boolean isFull) {
            made.add(new Row('@', first + count + shift, first + count, count, List.of(), isFull));
            left -= ROW + page.link();
        }

        private int weight(char kind, LinePieces.Taken taken) {
            return page.isSplit() && kind == ' ' ? 2 * taken.weight() : taken.weight();
        }

        /// Adds lines, and returns how many had room.
        private int lines(int first, int count, int shift) {
            int shown = 0;
            while (shown < count && left > 0) {
                line(first + shown, shift);
                shown++;
            }
            return shown;
        }

        private void line(int number, int shift) {
            var taken = LinePieces.of(opened.text(), opened.start(number), opened.end(number), LINE);
            made.add(new Row(' ', number + shift, number, 0, taken.pieces(), taken.end() < opened.end(number)));
            left -= ROW + weight(' ', taken);
        }
    }
}
