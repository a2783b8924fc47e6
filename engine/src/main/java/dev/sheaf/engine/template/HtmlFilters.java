package dev.sheaf.engine.template;

import dev.sheaf.model.text.Utf8Text;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Filters for HTML and URLs.
final class HtmlFilters {
    private static final String HEX = "0123456789ABCDEF";
    private static final String PLAIN_IN_URLS = "-._~";

    /// The marks around the parts that `strip_html` removes together with their contents.
    private static final List<String[]> BLOCKS = List.of(
            new String[] {"<script", "</script>"}, new String[] {"<!--", "-->"}, new String[] {"<style", "</style>"});

    private HtmlFilters() {}

    static void addTo(Map<String, FilterSpec> filters) {
        filters.put("escape", new FilterSpec(0, 0, given -> given.value() == null ? null : escape(given, false)));
        filters.put("escape_once", new FilterSpec(0, 0, given -> escape(given, true)));
        filters.put("newline_to_br", new FilterSpec(0, 0, HtmlFilters::newlineToBr));
        filters.put("strip_html", new FilterSpec(0, 0, given -> withoutTags(withoutBlocks(given), given)));
        filters.put("url_encode", new FilterSpec(0, 0, given -> given.value() == null ? null : urlEncode(given)));
        filters.put("url_decode", new FilterSpec(0, 0, given -> given.value() == null ? null : urlDecode(given)));
        filters.put("json", new FilterSpec(0, 0, given -> JsonWriter.text(given.value(), given.rendering())));
    }

    private static BoundedText out(Filter.Given given) {
        return new BoundedText("what " + given.call().name() + " gives", given.rendering());
    }

    private static String escape(Filter.Given given, boolean isOnce) {
        String text = given.text();
        var out = out(given);
        int plain = 0;
        for (int i = 0; i < text.length(); i++) {
            String escaped = escaped(text.charAt(i));
            if (escaped != null && !(isOnce && isEntity(text, i))) {
                out.add(text, plain, i).add(escaped);
                plain = i + 1;
            }
        }
        return out.add(text, plain, text.length()).toString();
    }

    private static @Nullable String escaped(char c) {
        return switch (c) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&quot;";
            case '\'' -> "&#39;";
            default -> null;
        };
    }

    /// Returns whether `&name;` or `&#1;` begins at this place.
    private static boolean isEntity(String text, int at) {
        if (text.charAt(at) != '&' || at + 1 == text.length()) {
            return false;
        }
        boolean isNumber = text.charAt(at + 1) == '#';
        int from = isNumber ? at + 2 : at + 1;
        int end = from;
        while (end < text.length()
                && (isNumber
                        ? TagWords.isDigit(text.charAt(end))
                        : TagWords.isLetter(text.charAt(end)) && text.charAt(end) != '_')) {
            end++;
        }
        return end > from && end < text.length() && text.charAt(end) == ';';
    }

    private static String newlineToBr(Filter.Given given) {
        String text = given.text();
        var out = out(given);
        int from = 0;
        for (int at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
            out.add(text, from, at > from && text.charAt(at - 1) == '\r' ? at - 1 : at)
                    .add("<br />\n");
            from = at + 1;
        }
        return out.add(text, from, text.length()).toString();
    }

    private static String withoutBlocks(Filter.Given given) {
        String text = given.text();
        var out = out(given);
        var unclosed = new boolean[BLOCKS.size()]; // so that a missing end is searched for only once
        int from = 0;
        for (int at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
            int end = -1;
            for (int i = 0; i < unclosed.length && end < 0; i++) {
                String[] block = BLOCKS.get(i);
                if (!unclosed[i] && text.startsWith(block[0], at)) {
                    end = text.indexOf(block[1], at + block[0].length());
                    unclosed[i] = end < 0;
                    end = end < 0 ? end : end + block[1].length();
                }
            }
            if (end >= 0) {
                out.add(text, from, at);
                from = end;
            }
            at = Math.max(at + 1, end);
        }
        return out.add(text, from, text.length()).toString();
    }

    private static String withoutTags(String text, Filter.Given given) {
        var out = out(given);
        int from = 0;
        for (int at = text.indexOf('<'); at >= 0; at = text.indexOf('<', from)) {
            int end = text.indexOf('>', at);
            if (end < 0) {
                break;
            }
            out.add(text, from, at);
            from = end + 1;
        }
        return out.add(text, from, text.length()).toString();
    }

    private static String urlEncode(Filter.Given given) {
        var out = out(given);
        for (byte each : given.text().getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xFF);
            boolean isPlain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || TagWords.isDigit(c);
            if (isPlain || PLAIN_IN_URLS.indexOf(c) >= 0) {
                out.add(c);
            } else if (c == ' ') {
                out.add('+');
            } else {
                out.add('%').add(HEX.charAt(c >> 4)).add(HEX.charAt(c & 0xF));
            }
        }
        return out.toString();
    }

    private static String urlDecode(Filter.Given given) {
        byte[] bytes = given.text().getBytes(StandardCharsets.UTF_8);
        given.rendering().made(bytes.length);
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            int high = bytes[i] == '%' && i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = high >= 0 ? Character.digit(bytes[i + 2], 16) : -1;
            if (low >= 0) {
                bytes[length++] = (byte) (high << 4 | low);
                i += 2;
            } else {
                bytes[length++] = bytes[i] == '+' ? (byte) ' ' : bytes[i];
            }
        }
        var text = Utf8Text.of(ByteBuffer.wrap(bytes, 0, length))
                .orElseThrow(() -> given.failure("gives bytes that are not valid UTF-8"));
        given.rendering().made(length);
        return text;
    }
}
