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

    /// To be called as the work goes on.
    void step() {
        if (++steps % STEPS == 0) {
            budget.check();
        }
    }

    /// Where the line ends that a place is in, before its line feed.
    int lineEnd(int at, int to) {
        int end = text.indexOf('\n', at, to);
        return end < 0 ? to : end;
    }

    /// Whether the text goes on like that.
    boolean at(int place, int to, String what) {
        return place + what.length() <= to && text.startsWith(what, place);
    }

    /// Where something begins next, or `to`.
    int find(String what, int from, int to) {
        int found = text.indexOf(what, from, to);
        return found < 0 ? to : found;
    }

    /// Where something ends that is next, or `to`.
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
