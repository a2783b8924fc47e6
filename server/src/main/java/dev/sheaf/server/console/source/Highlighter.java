package dev.sheaf.server.console.source;

import dev.sheaf.server.cpu.Budget;

/// Finds comments, strings, words and numbers, in time proportional to the length of the text: it never goes
/// back, and looks ahead only over text that it then skips, or within a fixed distance.
final class Highlighter {
    private Highlighter() {}

    /// Sets a style for each character.
    static byte[] styles(String text, Language language, Budget budget) {
        var canvas = new Canvas(text, budget);
        paint(canvas, 0, text.length(), language);
        return canvas.styles();
    }

    static void paint(Canvas canvas, int from, int to, Language language) {
        switch (language) {
            case PLAIN -> {} // stays as it is
            case MARKDOWN -> new MarkdownLexer(canvas).paint(from, to);
            case XML -> XmlLexer.paint(canvas, from, to);
            case YAML, JSON, PYTHON, SHELL, JAVASCRIPT, JAVA, TOML -> new CodeLexer(canvas, to, language).paint(from);
        }
    }
}
