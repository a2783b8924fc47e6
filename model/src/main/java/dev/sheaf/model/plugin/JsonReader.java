package dev.sheaf.model.plugin;

import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.text.Unicode;
import dev.sheaf.model.text.Utf8Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.regex.Pattern;

/// Reads untrusted JSON (RFC 8259), exactly: programs differ in the mistakes that they forgive. Of two members with one
/// name programs read different ones, so that is a mistake too. Depth and size are limited.
final class JsonReader {
    private static final int MAX_DEPTH = 32;
    private static final int MAX_VALUES = 20_000;
    private static final int MAX_NUMBER = 100;
    private static final Pattern WORD =
            Pattern.compile("true|false|null|-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?");

    private final String text;
    private int at;
    private int line = 1;
    private int values;

    private JsonReader(String text) {
        this.text = text;
    }

    /// A document that is not JSON, or exceeds a limit.
    static final class Wrong extends Exception {
        private static final long serialVersionUID = 1;
        private final int line;

        Wrong(int line, String message) {
            super(message);
            this.line = line;
        }

        /// Returns the line, from 1.
        int line() {
            return line;
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }

    /// @param most the limit of the document in bytes
    static JsonValue read(byte[] json, int most) throws Wrong {
        if (json.length > most) {
            throw new Wrong(1, "longer than " + most + " bytes");
        }
        String text = Utf8Text.of(json).orElseThrow(() -> new Wrong(1, "not valid UTF-8"));
        var reader = new JsonReader(text);
        reader.blanks();
        var value = reader.value(0);
        reader.blanks();
        if (reader.at < text.length()) {
            throw reader.wrong("something follows after the end");
        }
        return value;
    }

    private Wrong wrong(String why) {
        return new Wrong(line, "not valid JSON: " + why);
    }

    private char here() throws Wrong {
        if (at == text.length()) {
            throw wrong("it ends too early");
        }
        return text.charAt(at);
    }

    private void blanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            if (text.charAt(at++) == '\n') {
                line++;
            }
        }
    }

    private JsonValue value(int depth) throws Wrong {
        if (depth > MAX_DEPTH) {
            throw new Wrong(line, "nested more than " + MAX_DEPTH + " levels deep");
        }
        if (++values > MAX_VALUES) {
            throw new Wrong(line, "it has more than " + MAX_VALUES + " values");
        }
        return switch (here()) {
            case '{' -> members(depth);
            case '[' -> items(depth);
            case '"' -> {
                int first = line;
                yield new JsonValue.Text(first, string());
            }
            default -> other();
        };
    }

    private JsonValue members(int depth) throws Wrong {
        int first = line;
        var members = new LinkedHashMap<String, JsonValue>();
        if (begins('}')) {
            return new JsonValue.Members(first, members);
        }
        do {
            blanks();
            if (here() != '"') {
                throw wrong("the name of a member must be a string");
            }
            int named = line;
            String name = string();
            blanks();
            if (here() != ':') {
                throw wrong("a colon is missing after the name of a member");
            }
            at++;
            blanks();
            if (members.put(name, value(depth + 1)) != null) {
                throw new Wrong(named, Quoted.of(name) + " appears twice");
            }
        } while (goesOn('}'));
        return new JsonValue.Members(first, members);
    }

    private JsonValue items(int depth) throws Wrong {
        int first = line;
        var items = new ArrayList<JsonValue>();
        if (begins(']')) {
            return new JsonValue.Items(first, items);
        }
        do {
            blanks();
            items.add(value(depth + 1));
        } while (goesOn(']'));
        return new JsonValue.Items(first, items);
    }

    /// Reads a bracket, and the closing one if nothing is between them. Returns whether that is so.
    private boolean begins(char close) throws Wrong {
        at++;
        blanks();
        boolean isEmpty = here() == close;
        at += isEmpty ? 1 : 0;
        return isEmpty;
    }

    /// Reads what follows a value: a comma, or the closing bracket. Returns whether it was a comma.
    private boolean goesOn(char close) throws Wrong {
        blanks();
        char next = here();
        if (next != ',' && next != close) {
            throw wrong("a comma or " + close + " is missing");
        }
        at++;
        return next == ',';
    }

    private JsonValue other() throws Wrong {
        int end = at;
        while (end < text.length() && end - at < MAX_NUMBER && isOfWord(text.charAt(end))) {
            end++;
        }
        if (!WORD.matcher(text.substring(at, end)).matches()) {
            throw wrong("a value is missing here, or is not in quotes");
        }
        at = end;
        return new JsonValue.Other(line);
    }

    private static boolean isOfWord(char c) {
        return c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == 'E';
    }

    private String string() throws Wrong {
        at++;
        var string = new StringBuilder();
        while (here() != '"') {
            char c = text.charAt(at++);
            if (c < ' ') {
                throw wrong("a control character in a string must be written as an escape");
            }
            string.append(c == '\\' ? escape() : c);
        }
        at++;
        if (!Unicode.isWellFormed(string.toString())) {
            throw wrong("an escape in a string stands for half a character");
        }
        return string.toString();
    }

    private char escape() throws Wrong {
        char c = here();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                String digits = text.substring(at, Math.min(at + 4, text.length()));
                if (!digits.matches("[0-9a-fA-F]{4}")) {
                    throw wrong("four hexadecimal digits must follow \\u");
                }
                at += digits.length();
                yield (char) Integer.parseInt(digits, 16);
            }
            default -> throw wrong("an escape in a string is unknown");
        };
    }
}
