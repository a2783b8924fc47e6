package dev.sheaf.server.bundle.diff;

import com.github.difflib.algorithm.myers.MyersDiffWithLinearSpace;
import dev.sheaf.engine.cpu.Budget;
import java.util.ArrayList;
import java.util.List;

/// Finds the words that differ between two lines, within one limit for all comparisons of an instance. Beyond
/// the limit, everything between the common beginning and end counts as different. For one thread.
public final class WordDiff {
    private static final int MAX_LINE = 2_000; // in characters
    private static final int MAX_WORDS = 400; // of both lines, in the part that differs
    private static final long SQUARES = 4_000_000; // sum of the squares of such numbers over all lines
    private static final int ALIKE = 3; // minimum of equal characters out of ten; below it no words are reported

    private final Budget budget;
    private long squares = SQUARES;

    public WordDiff(Budget budget) {
        this.budget = budget;
    }

    /// A range of characters in a line.
    public record Span(int from, int to) {}

    /// The ranges that differ in each line; empty if the lines have hardly anything in common.
    public record Words(List<Span> before, List<Span> after) {
        static final Words NONE = new Words(List.of(), List.of());

        public Words {
            before = List.copyOf(before);
            after = List.copyOf(after);
        }
    }

    public Words between(String before, String after) {
        budget.check();
        if (before.length() > MAX_LINE || after.length() > MAX_LINE) {
            return Words.NONE;
        }
        var old = words(before);
        var now = words(after);
        int start = 0;
        int most = Math.min(old.size(), now.size());
        while (start < most && old.get(start).equals(now.get(start))) {
            start++;
        }
        int end = 0;
        while (end < most - start && old.get(old.size() - 1 - end).equals(now.get(now.size() - 1 - end))) {
            end++;
        }
        var found = middle(old.subList(start, old.size() - end), now.subList(start, now.size() - end));
        var words = new Words(spans(found.before, old, start), spans(found.after, now, start));
        int longer = Math.max(before.length(), after.length());
        int same = Math.min(before.length() - length(words.before), after.length() - length(words.after));
        return 10 * same < ALIKE * longer ? Words.NONE : words;
    }

    private static int length(List<Span> spans) {
        return spans.stream().mapToInt(span -> span.to() - span.from()).sum();
    }

    /// Returns the differing ranges as indexes of words.
    private Words middle(List<String> old, List<String> now) {
        long cost = (long) old.size() + now.size();
        if (cost > MAX_WORDS || cost * cost > squares) {
            return new Words(all(old), all(now));
        }
        squares -= cost * cost;
        var before = new ArrayList<Span>();
        var after = new ArrayList<Span>();
        for (var change : new MyersDiffWithLinearSpace<String>().computeDiff(old, now, null)) {
            before.add(new Span(change.startOriginal, change.endOriginal));
            after.add(new Span(change.startRevised, change.endRevised));
        }
        return new Words(before, after);
    }

    private static List<Span> all(List<String> words) {
        return List.of(new Span(0, words.size()));
    }

    /// Converts ranges of words to ranges of characters; adjacent ones are merged.
    private static List<Span> spans(List<Span> ofWords, List<String> words, int start) {
        boolean[] changed = new boolean[words.size()];
        for (var span : ofWords) {
            for (int i = span.from(); i < span.to(); i++) {
                changed[start + i] = true;
            }
        }
        var spans = new ArrayList<Span>();
        int at = 0;
        int from = -1;
        for (int i = 0; i < changed.length; i++) {
            if (changed[i] && from < 0) {
                from = at;
            } else if (!changed[i] && from >= 0) {
                spans.add(new Span(from, at));
                from = -1;
            }
            at += words.get(i).length();
        }
        if (from >= 0) {
            spans.add(new Span(from, at));
        }
        return spans;
    }

    /// Splits a line: runs of letters and digits, runs of blanks, and every other character alone.
    private static List<String> words(String line) {
        var words = new ArrayList<String>();
        int from = 0;
        for (int i = 1; i <= line.length(); i++) {
            if (i == line.length() || !belongs(line.charAt(i - 1), line.charAt(i))) {
                words.add(line.substring(from, i));
                from = i;
            }
        }
        return words;
    }

    private static boolean belongs(char a, char b) {
        return Character.isLetterOrDigit(a) && Character.isLetterOrDigit(b)
                || Character.isWhitespace(a) && Character.isWhitespace(b)
                || Character.isHighSurrogate(a);
    }
}
