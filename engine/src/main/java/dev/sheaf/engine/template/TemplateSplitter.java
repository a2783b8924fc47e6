package dev.sheaf.engine.template;

import java.util.ArrayList;
import java.util.List;

/// Splits a template into texts, outputs and tags in one pass. It applies whitespace control, drops comments,
/// and turns the lines of a `liquid` tag into tags.
final class TemplateSplitter {
    /// @param name the name of a tag; empty for other pieces
    /// @param body the text, or what is within the braces without the name
    record Piece(Kind kind, int line, String name, String body) {}

    enum Kind {
        TEXT,
        OUTPUT,
        TAG
    }

    private final String source;
    private final List<Piece> pieces = new ArrayList<>();
    private int at;
    private int line = 1;
    private int counted; // newlines up to here are counted
    private boolean trims; // the next text loses its leading whitespace

    private TemplateSplitter(String source) {
        this.source = source;
    }

    static List<Piece> of(String source) {
        var cutter = new TemplateSplitter(source);
        cutter.cut();
        return cutter.pieces;
    }

    private void cut() {
        while (at < source.length()) {
            int open = opening(at);
            boolean trimsBefore = open + 2 < source.length() && source.charAt(open + 2) == '-';
            text(open, trimsBefore);
            if (open == source.length()) {
                return;
            }
            boolean isTag = source.charAt(open + 1) == '%';
            int close = source.indexOf(isTag ? "%}" : "}}", open + 2);
            if (close < 0) {
                throw new TemplateException(
                        lineAt(open),
                        isTag ? "a tag begins with {% but has no %}" : "an output begins with {{ but has no }}");
            }
            int from = trimsBefore ? open + 3 : open + 2;
            trims = close > from && source.charAt(close - 1) == '-';
            String inside = from > close ? "" : source.substring(from, trims ? close - 1 : close);
            int number = lineAt(open);
            at = close + 2;
            if (isTag) {
                tag(number, inside);
            } else {
                pieces.add(new Piece(Kind.OUTPUT, number, "", inside));
            }
        }
    }

    /// Returns where the next output or tag begins, or the end.
    private int opening(int from) {
        for (int i = source.indexOf('{', from); i >= 0; i = source.indexOf('{', i + 1)) {
            if (i + 1 < source.length() && (source.charAt(i + 1) == '{' || source.charAt(i + 1) == '%')) {
                return i;
            }
        }
        return source.length();
    }

    private void text(int end, boolean trimsBefore) {
        int from = at;
        int to = end;
        while (trims && from < to && isSpace(source.charAt(from))) {
            from++;
        }
        while (trimsBefore && from < to && isSpace(source.charAt(to - 1))) {
            to--;
        }
        if (from < to) {
            pieces.add(new Piece(Kind.TEXT, lineAt(from), "", source.substring(from, to)));
        }
    }

    private void tag(int number, String inside) {
        var piece = tagOf(number, inside);
        switch (piece.name()) {
            case "raw" -> raw(number);
            case "comment" -> comment(number);
            case "liquid" -> liquid(number, inside);
            case "#" -> {}
            default -> pieces.add(piece);
        }
    }

    private static Piece tagOf(int number, String inside) {
        String text = inside.strip();
        int end = text.startsWith("#") ? 1 : 0;
        while (end < text.length() && (TagWords.isLetter(text.charAt(end)) || TagWords.isDigit(text.charAt(end)))) {
            end++;
        }
        return new Piece(Kind.TAG, number, text.startsWith("#") ? "#" : text.substring(0, end), text.substring(end));
    }

    private void raw(int number) {
        int end = closing("endraw", at);
        if (end < 0) {
            throw new TemplateException(number, "raw has no endraw");
        }
        if (end > at) {
            pieces.add(new Piece(Kind.TEXT, number, "", source.substring(at, end)));
        }
        leave(end);
    }

    /// Skips a comment. Comments can be nested.
    private void comment(int number) {
        int depth = 1;
        for (int from = at; depth > 0; ) {
            int open = source.indexOf("{%", from);
            if (open < 0) {
                throw new TemplateException(number, "comment has no endcomment");
            }
            if (isTag("comment", open)) {
                depth++;
            } else if (isTag("endcomment", open)) {
                depth--;
            }
            if (depth == 0) {
                leave(open);
            }
            from = open + 2;
        }
    }

    private int closing(String name, int from) {
        int open = source.indexOf("{%", from);
        while (open >= 0 && !isTag(name, open)) {
            open = source.indexOf("{%", open + 2);
        }
        return open;
    }

    /// Returns whether the tag with this name and no arguments begins at this place.
    private boolean isTag(String name, int open) {
        int i = open + 2;
        if (i < source.length() && source.charAt(i) == '-') {
            i++;
        }
        i = afterSpaces(i);
        if (!source.startsWith(name, i)) {
            return false;
        }
        i = afterSpaces(i + name.length());
        return source.startsWith("%}", i) || source.startsWith("-%}", i);
    }

    private int afterSpaces(int from) {
        int i = from;
        while (i < source.length() && isSpace(source.charAt(i))) {
            i++;
        }
        return i;
    }

    /// Continues after the tag that begins at this place.
    private void leave(int open) {
        int close = source.indexOf("%}", open);
        trims = source.charAt(close - 1) == '-';
        at = close + 2;
    }

    private void liquid(int number, String inside) {
        int begin = inside.indexOf("liquid") + "liquid".length();
        int current = number + newlines(inside, 0, begin);
        int comments = 0;
        for (String each : inside.substring(begin).split("\n", -1)) {
            var piece = tagOf(current++, each);
            if (piece.name().equals("comment")) {
                comments++;
            } else if (piece.name().equals("endcomment") && comments > 0) {
                comments--;
            } else if (comments == 0 && !piece.name().equals("#") && !each.isBlank()) {
                if (piece.name().equals("raw") || piece.name().equals("liquid")) {
                    throw new TemplateException(piece.line(), piece.name() + " cannot be used within liquid");
                }
                pieces.add(piece);
            }
        }
        if (comments > 0) {
            throw new TemplateException(number, "comment has no endcomment");
        }
    }

    private int lineAt(int position) {
        line += newlines(source, counted, position);
        counted = Math.max(counted, position);
        return line;
    }

    private static int newlines(String text, int from, int to) {
        int count = 0;
        for (int i = from; i < to; i++) {
            if (text.charAt(i) == '\n') {
                count++;
            }
        }
        return count;
    }

    static boolean isSpace(char c) {
        return c == ' ' || c >= '\t' && c <= '\r';
    }
}
