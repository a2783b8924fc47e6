package dev.sheaf.server.console.source;

/// Highlights programs and settings files.
final class CodeLexer {
    private static final int MAX_WORD = 24; // longer names are not keywords
    private static final int MAX_KEY = 200; // the maximum length of a name before the mark

    private final Canvas canvas;
    private final String text;
    private final int to;
    private final Language language;
    private final Grammar grammar;
    private int at;

    CodeLexer(Canvas canvas, int to, Language language) {
        this.canvas = canvas;
        this.text = canvas.text();
        this.to = to;
        this.language = language;
        this.grammar = Grammar.of(language);
    }

    void paint(int from) {
        at = from;
        boolean start = true; // whether this is the start of a line
        while (at < to) {
            canvas.step();
            if (start) {
                lineStart();
                start = false;
            } else {
                start = text.charAt(at) == '\n';
                one();
            }
        }
    }

    private void one() {
        char c = text.charAt(at);
        if (isComment()) {
            paintTo(canvas.lineEnd(at, to), Style.COMMENT);
        } else if (grammar.blocks() && canvas.at(at, to, "/*")) {
            paintTo(canvas.behind("*/", at + 2, to), Style.COMMENT);
        } else if (c == '"' || c == '\'' || c == '`') {
            string(c);
        } else if (c == '$' && (language == Language.SHELL || language == Language.YAML)) {
            variable();
        } else if (Canvas.isWord(c)) {
            word();
        } else {
            at++;
        }
    }

    /// Returns whether a comment begins here. In some languages the mark counts only after a space.
    private boolean isComment() {
        for (String mark : grammar.comments()) {
            if (canvas.at(at, to, mark)) {
                boolean anywhere = language != Language.SHELL && language != Language.YAML;
                return anywhere || at == 0 || Character.isWhitespace(text.charAt(at - 1));
            }
        }
        return false;
    }

    private void lineStart() {
        if (grammar.keys() == ' ') {
            return;
        }
        at = canvas.skipBlanks(at, to);
        while (language == Language.YAML && at + 1 < to && text.charAt(at) == '-' && text.charAt(at + 1) == ' ') {
            at = canvas.skipBlanks(at + 2, to);
            canvas.step();
        }
        if (language == Language.TOML && at < to && text.charAt(at) == '[') {
            paintTo(canvas.lineEnd(at, to), Style.HEADING);
            return;
        }
        int end = keyEnd();
        if (end > at) {
            paintTo(end, Style.KEYWORD);
            at = Math.min(to, at + 1);
        }
    }

    /// Returns the end of the name at this position; this position if there is no name.
    private int keyEnd() {
        int limit = Math.min(to, at + MAX_KEY);
        for (int i = at; i < limit; i++) {
            char c = text.charAt(i);
            if (c == grammar.keys()) {
                boolean ends = c == '=' || i + 1 == to || Character.isWhitespace(text.charAt(i + 1));
                if (ends) {
                    return i;
                }
            } else if (c == '\n' || "#{}[],".indexOf(c) >= 0 || (c == '"' || c == '\'') && i > at && !isKeysEnd(i)) {
                return at;
            }
        }
        return at;
    }

    /// Returns whether a quote ends a quoted name.
    private boolean isKeysEnd(int place) {
        int next = canvas.skipBlanks(place + 1, Math.min(to, place + MAX_KEY));
        return next < to && text.charAt(next) == grammar.keys();
    }

    private void string(char quote) {
        for (String mark : grammar.longQuotes()) {
            if (canvas.at(at, to, mark)) {
                paintTo(longEnd(mark), Style.STRING);
                return;
            }
        }
        boolean inWord = at > 0 && Canvas.isWord(text.charAt(at - 1)) && language != Language.PYTHON;
        if (grammar.quotes().indexOf(quote) < 0 || inWord) {
            at++;
            return;
        }
        int from = at;
        int end = shortEnd(quote);
        boolean isKey = language == Language.JSON && isColon(end);
        at = from;
        paintTo(end, isKey ? Style.KEYWORD : Style.STRING);
    }

    private boolean isColon(int place) {
        int next = canvas.skipBlanks(place, to);
        return next < to && text.charAt(next) == ':';
    }

    private int longEnd(String mark) {
        int i = at + mark.length();
        while (i < to && !canvas.at(i, to, mark)) {
            canvas.step();
            i += text.charAt(i) == '\\' ? 2 : 1;
        }
        return Math.min(to, i + mark.length());
    }

    /// Returns the end of a string within its line.
    private int shortEnd(char quote) {
        int i = at + 1;
        while (i < to && text.charAt(i) != quote && text.charAt(i) != '\n') {
            canvas.step();
            i += text.charAt(i) == '\\' && i + 1 < to && text.charAt(i + 1) != '\n' ? 2 : 1;
        }
        return i < to && text.charAt(i) == quote ? i + 1 : Math.min(i, to);
    }

    /// Highlights `$NAME`, and `${...}` within a line; in YAML, only expressions that workflows replace.
    private void variable() {
        int next = at + 1;
        if (next < to && text.charAt(next) == '{') {
            int line = canvas.lineEnd(at, Math.min(to, at + MAX_KEY));
            boolean workflow = canvas.at(at, to, "${{");
            int end = canvas.behind(workflow ? "}}" : "}", next, line);
            paintTo(end, Style.NUMBER);
            return;
        }
        int end = next;
        while (end < to && Canvas.isWord(text.charAt(end))) {
            end++;
        }
        paintTo(end, language == Language.SHELL ? Style.NUMBER : Style.PLAIN);
    }

    private void word() {
        int end = at;
        boolean number = Character.isDigit(text.charAt(at));
        while (end < to && (Canvas.isWord(text.charAt(end)) || number && text.charAt(end) == '.')) {
            canvas.step();
            end++;
        }
        if (number) {
            paintTo(end, Style.NUMBER);
        } else if (end - at <= MAX_WORD && grammar.keywords().contains(text.substring(at, end))) {
            paintTo(end, grammar.keys() == ' ' ? Style.KEYWORD : Style.NUMBER);
        } else {
            at = end;
        }
    }

    private void paintTo(int end, Style style) {
        canvas.paint(at, end, style);
        at = Math.max(end, at);
    }
}
