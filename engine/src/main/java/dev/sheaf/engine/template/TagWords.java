package dev.sheaf.engine.template;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Splits an output or a tag into words.
final class TagWords {
    /// @param text without quotes, for a string
    record Word(Kind kind, String text) {}

    enum Kind {
        NAME,
        STRING,
        NUMBER,
        SIGN,
        END
    }

    private static final int SHOWN = 60; // longest excerpt of a template in an error
    private static final List<String> LONG_SIGNS = List.of("==", "!=", "<>", "<=", ">=", "..");
    private static final String SIGNS = "<>=|:,.()[]";

    private final int line;
    private final String text;
    private final List<Word> words = new ArrayList<>();
    private int at;
    private int next;

    TagWords(int line, String text) {
        this.line = line;
        this.text = text;
        while (skipSpaces() < text.length()) {
            words.add(read());
        }
        words.add(new Word(Kind.END, ""));
    }

    TemplateException failure(String reason) {
        return new TemplateException(line, reason);
    }

    Word peek() {
        return words.get(next);
    }

    private Word peek(int ahead) {
        return words.get(Math.min(next + ahead, words.size() - 1));
    }

    Word take() {
        var word = words.get(next);
        next = Math.min(next + 1, words.size() - 1);
        return word;
    }

    boolean isAtEnd() {
        return peek().kind == Kind.END;
    }

    boolean isSign(String sign) {
        return peek().kind == Kind.SIGN && peek().text.equals(sign);
    }

    boolean takesSign(String sign) {
        boolean is = isSign(sign);
        if (is) {
            take();
        }
        return is;
    }

    boolean takesName(String name) {
        boolean is = peek().kind == Kind.NAME && peek().text.equals(name);
        if (is) {
            take();
        }
        return is;
    }

    /// Takes the key of `key: value`, if that comes next.
    @Nullable
    String takeKey() {
        if (peek().kind != Kind.NAME
                || peek(1).kind != Kind.SIGN
                || !peek(1).text.equals(":")) {
            return null;
        }
        String key = take().text;
        take();
        return key;
    }

    String name(String what) {
        var word = take();
        if (word.kind != Kind.NAME) {
            throw failure("expected " + what + ", found " + shown(word));
        }
        return word.text;
    }

    void sign(String sign, String where) {
        var word = take();
        if (word.kind != Kind.SIGN || !word.text.equals(sign)) {
            throw failure("expected " + sign + " " + where + ", found " + shown(word));
        }
    }

    void end(String where) {
        if (isSign("|")) {
            throw failure("a filter cannot be used " + where + "; assign its result to a variable first");
        }
        if (!isAtEnd()) {
            throw failure("unexpected " + shown(peek()) + " " + where);
        }
    }

    static String shown(Word word) {
        return switch (word.kind) {
            case END -> "the end";
            case STRING -> "the text \"" + shorten(word.text) + '"';
            default -> shorten(word.text);
        };
    }

    static String shorten(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }

    private int skipSpaces() {
        while (at < text.length() && TemplateSplitter.isSpace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private Word read() {
        char c = text.charAt(at);
        if (c == '"' || c == '\'') {
            return string(c);
        }
        if (isDigit(c) || c == '-' && at + 1 < text.length() && isDigit(text.charAt(at + 1))) {
            return number();
        }
        if (isLetter(c)) {
            return name();
        }
        for (String sign : LONG_SIGNS) {
            if (text.startsWith(sign, at)) {
                at += 2;
                return new Word(Kind.SIGN, sign);
            }
        }
        if (SIGNS.indexOf(c) < 0) {
            throw failure("unexpected character "
                    + (Character.isISOControl(c)
                            ? "U+%04X".formatted((int) c)
                            : text.substring(at, text.offsetByCodePoints(at, 1)))
                    + " in " + shorten(text.strip()));
        }
        at++;
        return new Word(Kind.SIGN, String.valueOf(c));
    }

    private Word string(char quote) {
        int end = text.indexOf(quote, at + 1);
        if (end < 0) {
            throw failure("a text begins with " + quote + " but has no end: "
                    + shorten(text.substring(at).strip()));
        }
        var word = new Word(Kind.STRING, text.substring(at + 1, end));
        at = end + 1;
        return word;
    }

    private Word number() {
        int from = at++;
        digits();
        if (at + 1 < text.length() && text.charAt(at) == '.' && isDigit(text.charAt(at + 1))) {
            at++;
            digits();
        }
        return new Word(Kind.NUMBER, text.substring(from, at));
    }

    private void digits() {
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
    }

    private Word name() {
        int from = at;
        while (at < text.length()
                && (isLetter(text.charAt(at)) || isDigit(text.charAt(at)) || text.charAt(at) == '-')) {
            at++;
        }
        if (at < text.length() && text.charAt(at) == '?') {
            at++;
        }
        return new Word(Kind.NAME, text.substring(from, at));
    }

    static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
