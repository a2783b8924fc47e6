package dev.sheaf.cli.terminal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Describes one thing for people: a label and a value in each line, the values aligned.
public final class Summary {
    private static final int GAP = 2;

    /// The label of a digest that may be shortened; a digest in a reference is meant to be copied.
    private static final String DIGEST = "digest";

    private record Line(String label, String value) {}

    private final List<Line> lines = new ArrayList<>();

    /// Adds a line, unless the value is null. Control characters are replaced, a time is cut to seconds.
    public Summary line(String label, @Nullable Object value) {
        if (value != null) {
            String text = value instanceof Instant time ? TextFormat.time(time) : value.toString();
            lines.add(new Line(label, TextFormat.showable(text)));
        }
        return this;
    }

    /// Adds a text whose lines are kept, each below the first one's beginning, unless it is null. Control
    /// characters are replaced.
    public Summary text(String label, @Nullable String text) {
        if (text != null) {
            var parts = text.strip().lines().map(TextFormat::showableLine).toList();
            for (int i = 0; i < parts.size(); i++) {
                lines.add(new Line(i == 0 ? label : "", parts.get(i).stripTrailing()));
            }
        }
        return this;
    }

    /// Adds a line with these words, unless the list is null or empty.
    public Summary line(String label, @Nullable List<String> words) {
        return line(label, words == null || words.isEmpty() ? null : (Object) String.join(", ", words));
    }

    /// Prints the lines. A digest that is too long for the terminal is shortened.
    public void print(Shell shell) {
        int width = lines.stream().mapToInt(line -> line.label().length()).max().orElse(0) + GAP;
        int most = shell.terminal()
                        && lines.stream().anyMatch(line -> width + line.value().length() > TerminalWidth.USUAL)
                ? shell.columns()
                : Integer.MAX_VALUE;
        for (Line line : lines) {
            boolean fits =
                    width + line.value().length() <= most || !line.label().equals(DIGEST);
            String value = fits ? line.value() : TextFormat.withShortDigests(line.value());
            shell.out().println(value.isEmpty() ? line.label() : ("%-" + width + "s%s").formatted(line.label(), value));
        }
    }
}
