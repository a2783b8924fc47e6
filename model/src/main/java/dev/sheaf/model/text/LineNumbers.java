package dev.sheaf.model.text;

/// Returns the line numbers of positions in a text, from 1. Each position must be at or after the previous one, so
/// that all of them together take time proportional to the text.
public final class LineNumbers {
    private final String text;
    private int at;
    private int line = 1;

    /// Finds the lines of a text.
    public LineNumbers(String text) {
        this.text = text;
    }

    /// Allows any position again.
    public void rewind() {
        at = 0;
        line = 1;
    }

    /// Returns the number of the line at this position, from 1.
    public int of(int position) {
        while (at < position) {
            if (text.charAt(at++) == '\n') {
                line++;
            }
        }
        return line;
    }
}
