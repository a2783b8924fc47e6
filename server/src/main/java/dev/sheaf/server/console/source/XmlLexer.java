package dev.sheaf.server.console.source;

/// Highlights XML and HTML.
final class XmlLexer {
    private XmlLexer() {}

    static void paint(Canvas canvas, int from, int to) {
        int at = canvas.find("<", from, to);
        while (at < to) {
            canvas.step();
            if (canvas.at(at, to, "<!--")) {
                int end = canvas.behind("-->", at + 4, to);
                canvas.paint(at, end, Style.COMMENT);
                at = end;
            } else if (canvas.at(at, to, "<![CDATA[")) {
                int end = canvas.behind("]]>", at, to);
                canvas.paint(at, end, Style.STRING);
                at = end;
            } else if (at + 1 < to && isTag(canvas.text().charAt(at + 1))) {
                at = tag(canvas, at, to);
            } else {
                at++;
            }
            at = canvas.find("<", at, to);
        }
    }

    private static boolean isTag(char c) {
        return c == '/' || c == '?' || c == '!' || Character.isLetter(c);
    }

    /// Highlights a tag: its name, and the strings in it. A tag ends where another begins, so an angle bracket
    /// in a text colours only its own words.
    private static int tag(Canvas canvas, int from, int to) {
        String text = canvas.text();
        int at = from + 2;
        while (at < to && (Canvas.isWord(text.charAt(at)) || "-:.".indexOf(text.charAt(at)) >= 0)) {
            canvas.step();
            at++;
        }
        canvas.paint(from, at, Style.KEYWORD);
        while (at < to && text.charAt(at) != '>' && text.charAt(at) != '<') {
            canvas.step();
            char c = text.charAt(at);
            if (c == '"' || c == '\'') {
                int end = canvas.behind(String.valueOf(c), at + 1, to);
                canvas.paint(at, end, Style.STRING);
                at = end;
            } else {
                at++;
            }
        }
        if (at < to && text.charAt(at) == '>') {
            canvas.paint(text.charAt(at - 1) == '/' ? at - 1 : at, at + 1, Style.KEYWORD);
            at++;
        }
        return at;
    }
}
