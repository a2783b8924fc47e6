package dev.sheaf.server.console.source;

/// How a piece of a text looks.
public enum Style {
    PLAIN(""),
    KEYWORD("x-k"),
    STRING("x-s"),
    COMMENT("x-c"),
    HEADING("x-h"),
    NUMBER("x-n"),
    /// What changed within a line.
    CHANGED("");

    private static final Style[] ALL = values();

    private final String css;

    Style(String css) {
        this.css = css;
    }

    /// Its class in the style sheet; empty: none.
    public String css() {
        return css;
    }

    static Style of(byte ordinal) {
        return ALL[ordinal];
    }
}
