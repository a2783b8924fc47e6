package dev.sheaf.server.console;

import java.util.List;

/// Something that a page says above everything else.
///
/// @param tone `ok`, `warn`, `bad` or `info`
/// @param lines below the title; none: it is all said
public record Notice(String tone, String title, List<String> lines) {
    public Notice {
        lines = List.copyOf(lines);
    }

    public static Notice ok(String title) {
        return new Notice("ok", title, List.of());
    }

    public static Notice bad(String title, String... lines) {
        return new Notice("bad", title, List.of(lines));
    }

    /// The icon that goes with its tone.
    public String icon() {
        return switch (tone) {
            case "ok" -> "check";
            case "info" -> "info";
            default -> "warn";
        };
    }
}
