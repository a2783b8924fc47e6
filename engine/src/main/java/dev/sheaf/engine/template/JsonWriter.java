package dev.sheaf.engine.template;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes a value as JSON (RFC 8259), without spaces.
final class JsonWriter {
    private JsonWriter() {}

    static String text(@Nullable Object value, Rendering rendering) {
        var out = new BoundedText("a JSON text", rendering);
        write(value, out, rendering);
        return out.toString();
    }

    private static void write(@Nullable Object value, BoundedText out, Rendering rendering) {
        rendering.step();
        switch (value) {
            case null -> out.add("null");
            case String text -> string(text, out);
            case Number number -> out.add(number.toString());
            case List<?> list -> {
                out.add('[');
                for (int i = 0; i < list.size(); i++) {
                    if (i > 0) {
                        out.add(',');
                    }
                    write(list.get(i), out, rendering);
                }
                out.add(']');
            }
            case Map<?, ?> map -> {
                out.add('{');
                boolean isFirst = true;
                for (var entry : map.entrySet()) {
                    if (!isFirst) {
                        out.add(',');
                    }
                    isFirst = false;
                    string(TemplateValues.plain(entry.getKey()), out);
                    out.add(':');
                    write(entry.getValue(), out, rendering);
                }
                out.add('}');
            }
            default -> out.add(value.toString());
        }
    }

    private static void string(String text, BoundedText out) {
        out.add('"');
        int plain = 0; // start of the characters that need no escape
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c != '"' && c != '\\') {
                continue;
            }
            out.add(text, plain, i);
            plain = i + 1;
            switch (c) {
                case '"' -> out.add("\\\"");
                case '\\' -> out.add("\\\\");
                case '\n' -> out.add("\\n");
                case '\r' -> out.add("\\r");
                case '\t' -> out.add("\\t");
                default -> out.add(String.format("\\u%04x", (int) c));
            }
        }
        out.add(text, plain, text.length()).add('"');
    }
}
