package dev.sheaf.server.console;

import java.util.List;
import java.util.Optional;

/// A message above the content of a page.
///
/// @param tone `ok`, `warn`, `bad` or `info`
/// @param lines the lines below the title; may be empty
public record PageNotice(String tone, String title, List<String> lines) {
    private static final List<String> TONES = List.of("ok", "warn", "bad", "info");

    public PageNotice {
        lines = List.copyOf(lines);
    }

    public static PageNotice ok(String title) {
        return new PageNotice("ok", title, List.of());
    }

    public static PageNotice bad(String title, String... lines) {
        return new PageNotice("bad", title, List.of(lines));
    }

    /// Returns the text that is stored for the next page.
    String text() {
        return tone + "\n" + title + "\n" + String.join("\n", lines);
    }

    /// Reads the result of [#text]; empty if it is something else.
    static Optional<PageNotice> parse(String text) {
        var lines = text.lines().toList();
        return lines.size() < 2 || !TONES.contains(lines.getFirst())
                ? Optional.empty()
                : Optional.of(new PageNotice(lines.getFirst(), lines.get(1), lines.subList(2, lines.size())));
    }

    /// Returns the icon for its tone.
    public String icon() {
        return switch (tone) {
            case "ok" -> "check";
            case "info" -> "info";
            default -> "warn";
        };
    }
}
