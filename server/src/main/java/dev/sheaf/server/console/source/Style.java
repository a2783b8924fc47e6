package dev.sheaf.server.console.source;

/// The style of a piece of a text.
public enum Style {
    PLAIN(""),
    KEYWORD("x-k"),
    STRING("x-s"),
    COMMENT("x-c"),
    HEADING("x-h"),
    NUMBER("x-n"),
    /// The changed part of a line.
    CHANGED("");

    private static final Style[] ALL = values();

    private final String css;

    Style(String css) {
        this.css = css;
    }

    /// Returns its class in the style sheet; empty if it has none.
    public String css() {
        return css;
    }

    static Style of(byte ordinal) {
        return ALL[ordinal];
    }
}
