package dev.sheaf.server.console.source;

/// Highlights Markdown: headings, code, and blocks of code in their own languages.
final class MarkdownLexer {
    private static final int MAX_MARKS = 10; // maximum length of the marks of a heading, a fence or inline code

    private final Canvas canvas;
    private final String text;

    MarkdownLexer(Canvas canvas) {
        this.canvas = canvas;
        this.text = canvas.text();
    }

    void paint(int from, int to) {
        int at = frontMatter(from, to);
        while (at < to) {
            canvas.step();
            int end = canvas.lineEnd(at, to);
            int start = canvas.skipBlanks(at, end);
            if (isFence(start, end)) {
                at = block(start, to);
            } else if (canvas.at(start, end, "<!--")) {
                int behind = canvas.behind("-->", start + 4, to);
                canvas.paint(start, behind, Style.COMMENT);
                at = behind;
            } else {
                line(start, end);
                at = end + 1;
            }
        }
    }

    private int frontMatter(int from, int to) {
        if (from != 0 || !canvas.at(0, to, "---\n")) {
            return from;
        }
        int end = text.indexOf("\n---", 3, to);
        if (end < 0) {
            return from;
        }
        canvas.paint(0, 3, Style.COMMENT);
        Highlighter.paint(canvas, 4, Math.max(4, end), Language.YAML);
        int behind = canvas.lineEnd(end + 1, to);
        canvas.paint(end + 1, behind, Style.COMMENT);
        return Math.min(to, behind + 1);
    }

    private boolean isFence(int at, int end) {
        return canvas.at(at, end, "```") || canvas.at(at, end, "~~~");
    }

    /// Highlights a block of code, which ends at a fence as long as its first.
    private int block(int from, int to) {
        char mark = text.charAt(from);
        int end = canvas.lineEnd(from, to);
        int name = from + run(from, end);
        String fence = text.substring(from, Math.min(name, from + MAX_MARKS));
        var language =
                Language.named(text.substring(name, Math.min(end, name + 16)).strip());
        canvas.paint(from, end, Style.COMMENT);
        int at = Math.min(to, end + 1);
        int start = at;
        while (at < to) {
            canvas.step();
            int next = canvas.lineEnd(at, to);
            int first = canvas.skipBlanks(at, next);
            if (canvas.at(first, next, fence) && canvas.skipBlanks(first + run(first, next), next) == next) {
                code(start, at, language);
                canvas.paint(first, next, Style.COMMENT);
                return Math.min(to, next + 1);
            }
            at = next + 1;
        }
        code(start, to, language);
        return to;
    }

    private void code(int from, int to, Language language) {
        if (from < to && language != Language.MARKDOWN) {
            Highlighter.paint(canvas, from, to, language);
        }
    }

    /// Returns the length of the run of equal characters at a position.
    private int run(int at, int end) {
        int length = 0;
        while (at + length < end && text.charAt(at + length) == text.charAt(at)) {
            canvas.step();
            length++;
        }
        return length;
    }

    private void line(int start, int end) {
        if (start < end && text.charAt(start) == '#') {
            int marks = run(start, end);
            if (marks <= 6 && (start + marks == end || Canvas.isBlank(text.charAt(start + marks)))) {
                canvas.paint(start, end, Style.HEADING);
                return;
            }
        }
        inlineCode(start, end);
    }

    /// Highlights code between runs of backquotes of the same length. A length without an end is not searched
    /// again.
    private void inlineCode(int start, int end) {
        boolean[] endless = new boolean[MAX_MARKS + 1];
        int at = canvas.find("`", start, end);
        while (at < end) {
            canvas.step();
            int length = run(at, end);
            int close = length > MAX_MARKS || endless[length] ? -1 : close(at + length, end, length);
            if (close >= 0) {
                canvas.paint(at, close, Style.STRING);
                at = close;
            } else {
                endless[Math.min(length, MAX_MARKS)] = true;
                at += length;
            }
            at = canvas.find("`", at, end);
        }
    }

    private int close(int from, int end, int length) {
        int at = canvas.find("`", from, end);
        while (at < end) {
            canvas.step();
            int marks = run(at, end);
            if (marks == length) {
                return at + marks;
            }
            at = canvas.find("`", at + marks, end);
        }
        return -1;
    }
}
