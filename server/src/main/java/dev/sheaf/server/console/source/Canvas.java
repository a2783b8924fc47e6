package dev.sheaf.server.console.source;

import dev.sheaf.server.cpu.Budget;
import java.util.Arrays;

/// A text with a style for each of its characters. For one thread.
final class Canvas {
    private static final int STEPS = 1 << 10;

    private final String text;
    private final byte[] styles;
    private final Budget budget;
    private int steps;

    Canvas(String text, Budget budget) {
        this.text = text;
        this.styles = new byte[text.length()];
        this.budget = budget;
    }

    String text() {
        return text;
    }

    byte[] styles() {
        return styles;
    }

    void paint(int from, int to, Style style) {
        Arrays.fill(styles, from, to, (byte) style.ordinal());
    }

    /// Counts a step against the budget. Must be called repeatedly during the work.
    void step() {
        if (++steps % STEPS == 0) {
            budget.check();
        }
    }

    /// Returns the end of the line at a position, before its line feed.
    int lineEnd(int at, int to) {
        int end = text.indexOf('\n', at, to);
        return end < 0 ? to : end;
    }

    /// Returns whether the text continues with `what` at this position.
    boolean at(int place, int to, String what) {
        return place + what.length() <= to && text.startsWith(what, place);
    }

    /// Returns the position at which `what` begins next, or `to`.
    int find(String what, int from, int to) {
        int found = text.indexOf(what, from, to);
        return found < 0 ? to : found;
    }

    /// Returns the position after the next `what`, or `to`.
    int behind(String what, int from, int to) {
        int found = text.indexOf(what, from, to);
        return found < 0 ? to : found + what.length();
    }

    int skipBlanks(int from, int to) {
        int at = from;
        while (at < to && isBlank(text.charAt(at))) {
            at++;
        }
        return at;
    }

    static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    static boolean isWord(char c) {
        return c == '_' || c == '$' || Character.isLetterOrDigit(c);
    }
}
