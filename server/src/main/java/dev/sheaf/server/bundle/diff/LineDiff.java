package dev.sheaf.server.bundle.diff;

import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.algorithm.myers.MyersDiffWithLinearSpace;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.ChangeDelta;
import com.github.difflib.patch.Chunk;
import com.github.difflib.patch.DeleteDelta;
import com.github.difflib.patch.InsertDelta;
import com.github.difflib.patch.Patch;
import dev.sheaf.engine.cpu.Budget;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Makes unified diffs of texts, within one budget for all comparisons of an instance. Myers' algorithm takes
/// time quadratic in the number of differing lines, and publishers choose both sides. Lines are compared by
/// numbers, so that long lines that differ at their ends cost nothing. The number of lines of all texts
/// together is limited. For one thread.
public final class LineDiff {
    /// Longest text in bytes for which a diff is made.
    static final long MAX_TEXT = 256 << 10;
    /// Longest text in bytes that is compared for similarity.
    static final long MAX_ALIKE = 64 << 10;

    private static final int CONTEXT = 3;
    private static final int MAX_LINES = 4_000; // of both sides, in the part that differs
    private static final long SQUARES = 40_000_000; // sum of the squares of such numbers over all texts
    private static final int ALL_LINES = 200_000; // of all texts, counted at each comparison
    private static final long MAX_OUTPUT = 4 << 20; // in characters

    private static final String WHITE_SPACE = " \t\r\f\u000B"; // other blanks can hide something
    private static final String NO_NEWLINE = "\n\\ No newline at end of file";

    private final Budget budget;
    private final WhiteSpace whiteSpace;
    private long squares = SQUARES;
    private long lines = ALL_LINES;
    private long output = MAX_OUTPUT;

    /// @param budget checked during the work
    public LineDiff(Budget budget) {
        this(budget, WhiteSpace.COMPARE);
    }

    LineDiff(Budget budget, WhiteSpace whiteSpace) {
        this.budget = budget;
        this.whiteSpace = whiteSpace;
    }

    /// Deducts the lines from the limit of lines; returns false if too few are left.
    private boolean takes(Text a, Text b) {
        budget.check();
        long all = (long) a.lines().size() + b.lines().size();
        if (all > lines) {
            return false;
        }
        lines -= all;
        return true;
    }

    /// A text as lines. If the last line has no line end, it says so, as in every unified diff.
    public record Text(List<String> lines) {
        static final Text NONE = new Text(List.of());

        public Text(String text) {
            this(split(text));
        }

        private static List<String> split(String text) {
            var lines = new ArrayList<String>();
            int from = 0;
            for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
                lines.add(text.substring(from, end));
                from = end + 1;
            }
            if (from < text.length()) {
                lines.add(text.substring(from) + NO_NEWLINE);
            }
            return lines;
        }
    }

    /// Returns the diff; empty if it would be too large. The diff is an empty text if no line differs. If white space
    /// is ignored, unchanged lines are those of `before`.
    public Optional<String> unified(String from, String to, Text before, Text after) {
        if (!takes(before, after)) {
            return Optional.empty();
        }
        var numbers = new HashMap<String, Integer>();
        var a = numbered(before, numbers);
        var b = numbered(after, numbers);
        int start = commonStart(a, b);
        int end = commonEnd(a, b, start);
        long differing = (long) a.size() + b.size() - 2L * (start + end);
        boolean oneSided = a.size() == start + end || b.size() == start + end;
        long cost = oneSided ? differing : differing * differing;
        if ((!oneSided && differing > MAX_LINES) || cost > squares) {
            return Optional.empty();
        }
        squares -= cost;
        if (differing == 0) {
            return Optional.of("");
        }
        var patch = patch(before, after, a, b, start, end);
        String text = UnifiedDiffUtils.generateUnifiedDiff(from, to, before.lines(), patch, CONTEXT).stream()
                        .map(line -> header(line, before, after))
                        .collect(Collectors.joining("\n"))
                + "\n";
        if (text.length() > output) {
            return Optional.empty();
        }
        output -= text.length();
        return Optional.of(text);
    }

    private List<Integer> numbered(Text text, Map<String, Integer> numbers) {
        return text.lines().stream()
                .map(line -> whiteSpace == WhiteSpace.IGNORE ? withoutWhiteSpace(line) : line)
                .map(line -> numbers.computeIfAbsent(line, fresh -> numbers.size()))
                .toList();
    }

    private static String withoutWhiteSpace(String line) {
        int end = line.endsWith(NO_NEWLINE) ? line.length() - NO_NEWLINE.length() : line.length();
        var rest = new StringBuilder(end);
        for (int i = 0; i < end; i++) {
            if (WHITE_SPACE.indexOf(line.charAt(i)) < 0) {
                rest.append(line.charAt(i));
            }
        }
        return rest.toString();
    }

    private static int commonStart(List<Integer> a, List<Integer> b) {
        int same = 0;
        while (same < Math.min(a.size(), b.size()) && a.get(same).equals(b.get(same))) {
            same++;
        }
        return same;
    }

    private static int commonEnd(List<Integer> a, List<Integer> b, int start) {
        int most = Math.min(a.size(), b.size()) - start;
        int same = 0;
        while (same < most && a.get(a.size() - 1 - same).equals(b.get(b.size() - 1 - same))) {
            same++;
        }
        return same;
    }

    /// A group of differing lines: some old lines and their replacement.
    private record Hunk(int from, int to, int newFrom, int newTo) {
        boolean touches(Hunk next) {
            return to == next.from && newTo == next.newFrom;
        }

        Hunk with(Hunk next) {
            return new Hunk(from, next.to, newFrom, next.newTo);
        }

        AbstractDelta<String> delta(List<String> before, List<String> after) {
            var old = chunk(before, from, to);
            var now = chunk(after, newFrom, newTo);
            if (from == to) {
                return new InsertDelta<>(old, now);
            }
            return newFrom == newTo ? new DeleteDelta<>(old, now) : new ChangeDelta<>(old, now);
        }
    }

    /// Returns the changes of the algorithm, with adjacent ones merged: it reports insertions and deletions
    /// separately and in any order.
    private Patch<String> patch(Text before, Text after, List<Integer> a, List<Integer> b, int start, int end) {
        var hunks = new ArrayDeque<Hunk>();
        var changes = new MyersDiffWithLinearSpace<Integer>()
                .computeDiff(a.subList(start, a.size() - end), b.subList(start, b.size() - end), new DiffSteps(budget));
        for (var change : changes) {
            var next = new Hunk(
                    start + change.startOriginal,
                    start + change.endOriginal,
                    start + change.startRevised,
                    start + change.endRevised);
            hunks.addLast(
                    !hunks.isEmpty() && hunks.getLast().touches(next)
                            ? hunks.removeLast().with(next)
                            : next);
        }
        var patch = new Patch<String>();
        hunks.forEach(hunk -> patch.addDelta(hunk.delta(before.lines(), after.lines())));
        return patch;
    }

    /// Corrects the header for an empty side, which begins before its first line.
    private static String header(String line, Text before, Text after) {
        if (!line.startsWith("@@")) {
            return line;
        }
        String old = before.lines().isEmpty() ? line.replace("@@ -1,0 ", "@@ -0,0 ") : line;
        return after.lines().isEmpty() ? old.replace(" +1,0 @@", " +0,0 @@") : old;
    }

    private static Chunk<String> chunk(List<String> lines, int from, int to) {
        return new Chunk<>(from, lines.subList(from, to));
    }

    /// Returns the percentage of lines that two texts have in common, at any position; 0 if it would be too much
    /// work.
    int likeness(Text a, Text b) {
        if (!takes(a, b)) {
            return 0;
        }
        var counts = new HashMap<String, Integer>();
        a.lines().forEach(line -> counts.merge(line, 1, Integer::sum));
        int common = 0;
        for (String line : b.lines()) {
            if (counts.merge(line, -1, Integer::sum) >= 0) {
                common++;
            }
        }
        int all = a.lines().size() + b.lines().size();
        return all == 0 ? 0 : 200 * common / all;
    }
}
