package dev.sheaf.model.oci;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/// Writes JSON whose bytes do not depend on a library; see [OciPackaging].
public final class CanonicalJson {
    private final StringBuilder out = new StringBuilder(1024);
    private final Deque<Character> open = new ArrayDeque<>();
    private boolean first = true;

    /// Begins a document.
    public CanonicalJson() {}

    /// Returns an object whose members are strings, sorted by name.
    public static String of(Map<String, String> members) {
        var json = new CanonicalJson().object();
        new TreeMap<>(members).forEach(json::member);
        return json.end().toString();
    }

    /// Begins an object.
    public CanonicalJson object() {
        return begin('{', '}');
    }

    /// Begins an array.
    public CanonicalJson array() {
        return begin('[', ']');
    }

    private CanonicalJson begin(char opening, char closing) {
        separate();
        out.append(opening);
        open.push(closing);
        first = true;
        return this;
    }

    /// Ends the innermost object or array.
    public CanonicalJson end() {
        out.append(open.pop().charValue());
        first = false;
        return this;
    }

    /// Begins a member whose value follows.
    public CanonicalJson name(String name) {
        separate();
        string(name);
        out.append(':');
        first = true;
        return this;
    }

    /// Adds a member.
    public CanonicalJson member(String name, String value) {
        name(name);
        string(value);
        first = false;
        return this;
    }

    /// Adds a member.
    public CanonicalJson member(String name, boolean value) {
        name(name);
        out.append(value);
        first = false;
        return this;
    }

    void member(String name, long value) {
        name(name);
        out.append(value);
        first = false;
    }

    /// Appends an entry to an array.
    public CanonicalJson item(String value) {
        separate();
        string(value);
        return this;
    }

    private void separate() {
        if (!first) {
            out.append(',');
        }
        first = false;
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\f' -> out.append("\\f");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c < 0x20) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
