package dev.sheaf.cli.terminal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one thing is, for people: a label and a value in each line, the values below each other.
public final class Summary {
    private static final int GAP = 2;

    /// Of the line that tells the digest; one in a reference is there to be copied.
    private static final String DIGEST = "digest";

    private record Line(String label, String value) {}

    private final List<Line> lines = new ArrayList<>();

    /// A line; none where there is no value. What would drive a terminal is taken out, a time is cut to seconds.
    public Summary line(String label, @Nullable Object value) {
        if (value != null) {
            String text = value instanceof Instant time ? Text.time(time) : value.toString();
            lines.add(new Line(label, Text.showable(text)));
        }
        return this;
    }

    /// A line with these words; none where there are none.
    public Summary line(String label, @Nullable List<String> words) {
        return line(label, words == null || words.isEmpty() ? null : (Object) String.join(", ", words));
    }

    /// Where a line of a terminal is too short for a digest, that is shortened.
    public void print(Shell shell) {
        int width = lines.stream().mapToInt(line -> line.label().length()).max().orElse(0) + GAP;
        int most = shell.terminal()
                        && lines.stream().anyMatch(line -> width + line.value().length() > Window.USUAL)
                ? shell.columns()
                : Integer.MAX_VALUE;
        for (Line line : lines) {
            boolean fits =
                    width + line.value().length() <= most || !line.label().equals(DIGEST);
            String value = fits ? line.value() : Text.withShortDigests(line.value());
            shell.out().printf("%-" + width + "s%s%n", line.label(), value);
        }
    }
}
