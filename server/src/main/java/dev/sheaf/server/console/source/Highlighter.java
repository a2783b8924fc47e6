package dev.sheaf.server.console.source;

import dev.sheaf.server.cpu.Budget;

/// Finds comments, strings, words and numbers, in time in proportion to the text, whatever is in it: nothing is tried
/// again, and whatever is looked for ahead is passed by, or looked for within a fixed distance.
final class Highlighter {
    private Highlighter() {}

    /// A style for each character.
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
