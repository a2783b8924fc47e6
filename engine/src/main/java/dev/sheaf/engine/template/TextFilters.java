package dev.sheaf.engine.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Filters of texts. Lengths and positions are in code points.
final class TextFilters {
    private TextFilters() {}

    static void addTo(Map<String, FilterSpec> filters) {
        filters.put("append", new FilterSpec(1, 1, given -> join(given, given.text(), given.text(0))));
        filters.put("prepend", new FilterSpec(1, 1, given -> join(given, given.text(0), given.text())));
        filters.put("upcase", changed(text -> text.toUpperCase(Locale.ROOT)));
        filters.put("downcase", changed(text -> text.toLowerCase(Locale.ROOT)));
        filters.put("capitalize", changed(TextFilters::capitalize));
        filters.put("strip", changed(String::trim));
        filters.put("lstrip", changed(text -> text.substring(leading(text))));
        filters.put("rstrip", changed(text -> leading(text) == text.length() ? "" : text.substring(0, trailing(text))));
        filters.put("strip_newlines", changed(text -> text.replace("\r\n", "").replace("\n", "")));
        filters.put("remove", new FilterSpec(1, 1, given -> replace(given, "", Integer.MAX_VALUE)));
        filters.put("remove_first", new FilterSpec(1, 1, given -> replace(given, "", 1)));
        filters.put("remove_last", new FilterSpec(1, 1, given -> replaceLast(given, "")));
        filters.put("replace", new FilterSpec(1, 2, given -> replace(given, second(given), Integer.MAX_VALUE)));
        filters.put("replace_first", new FilterSpec(1, 2, given -> replace(given, second(given), 1)));
        filters.put("replace_last", new FilterSpec(2, 2, given -> replaceLast(given, second(given))));
        filters.put("slice", new FilterSpec(1, 2, TextFilters::slice));
        filters.put("split", new FilterSpec(1, 1, TextFilters::split));
        filters.put("truncate", new FilterSpec(0, 2, TextFilters::truncate));
        filters.put("truncatewords", new FilterSpec(0, 2, TextFilters::truncateWords));
    }

    /// Returns a filter without arguments. Its time and memory are counted by the length of the text.
    static FilterSpec changed(UnaryOperator<String> change) {
        return new FilterSpec(0, 0, given -> {
            String text = given.text();
            String changed = change.apply(text);
            if (changed.length() > Template.MAX_OUTPUT) {
                throw given.failure("gives a text that is larger than " + (Template.MAX_OUTPUT >> 10) + " KiB");
            }
            given.rendering().made(Math.max(text.length(), changed.length()));
            return changed;
        });
    }

    private static BoundedText out(Filter.Given given) {
        return new BoundedText("what " + given.call().name() + " gives", given.rendering());
    }

    private static String join(Filter.Given given, String first, String second) {
        return out(given).add(first).add(second).toString();
    }

    private static String capitalize(String text) {
        if (text.isEmpty()) {
            return text;
        }
        int first = text.offsetByCodePoints(0, 1);
        return text.substring(0, first).toUpperCase(Locale.ROOT)
                + text.substring(first).toLowerCase(Locale.ROOT);
    }

    private static int leading(String text) {
        int at = 0;
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
        return at;
    }

    private static int trailing(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) <= ' ') {
            end--;
        }
        return end;
    }

    private static String second(Filter.Given given) {
        return given.has(1) ? given.text(1) : "";
    }

    private static String replace(Filter.Given given, String by, int times) {
        String text = given.text();
        String part = given.text(0);
        var finder = new TextSearch.Finder(part, given.rendering());
        var out = out(given);
        int from = 0;
        for (int i = 0; i < times; i++) {
            int found = finder.indexOf(text, part.isEmpty() ? Math.min(i, text.length() + 1) : from);
            if (found < 0) {
                break;
            }
            given.rendering().step();
            out.add(text, from, found).add(by);
            from = found + part.length();
        }
        return out.add(text, from, text.length()).toString();
    }

    private static String replaceLast(Filter.Given given, String by) {
        String text = given.text();
        String part = given.text(0);
        String backwards = new StringBuilder(text).reverse().toString();
        given.rendering().made(2 * text.length());
        int found =
                TextSearch.indexOf(backwards, new StringBuilder(part).reverse().toString(), 0, given.rendering());
        if (found < 0) {
            return text;
        }
        int at = text.length() - found - part.length();
        return out(given)
                .add(text, 0, at)
                .add(by)
                .add(text, at + part.length(), text.length())
                .toString();
    }

    private static Object slice(Filter.Given given) {
        int offset = given.integer(0);
        int length = given.has(1) ? given.integer(1) : 1;
        boolean isList = given.value() instanceof List<?>;
        String text = isList ? "" : given.text();
        int size = given.value() instanceof List<?> list ? list.size() : text.codePointCount(0, text.length());
        int from = offset < 0 ? offset + size : offset;
        if (from < 0 || from > size || length < 0) {
            return isList ? List.of() : "";
        }
        int to = (int) Math.min(size, (long) from + length);
        given.rendering().made(given.value() instanceof List<?> ? (to - from) * ListFilters.ELEMENT : text.length());
        if (given.value() instanceof List<?> list) {
            return new ArrayList<@Nullable Object>(list.subList(from, to));
        }
        int begin = text.offsetByCodePoints(0, from);
        return text.substring(begin, text.offsetByCodePoints(begin, to - from));
    }

    /// Splits a text at a separator; a single space stands for any whitespace; an empty separator splits into
    /// characters. Empty parts at the end are dropped.
    private static Object split(Filter.Given given) {
        String text = given.text();
        String by = given.text(0);
        var parts = new ArrayList<@Nullable Object>();
        if (by.equals(" ")) {
            words(text, parts, given.rendering());
        } else {
            var finder = new TextSearch.Finder(by, given.rendering());
            int from = 0;
            while (from < text.length()) {
                int found = by.isEmpty() ? text.offsetByCodePoints(from, 1) : finder.indexOf(text, from);
                int end = found < 0 ? text.length() : found;
                parts.add(part(text, from, end, given.rendering()));
                from = end + by.length();
            }
        }
        while (!parts.isEmpty() && "".equals(parts.getLast())) {
            parts.removeLast();
        }
        return parts;
    }

    private static void words(String text, List<@Nullable Object> words, Rendering rendering) {
        for (int at = 0; at < text.length(); ) {
            int end = at;
            while (end < text.length() && text.charAt(end) > ' ') {
                end++;
            }
            if (end > at) {
                words.add(part(text, at, end, rendering));
            }
            at = end + 1;
        }
    }

    private static String part(String text, int from, int to, Rendering rendering) {
        rendering.step();
        rendering.made(to - from + 6 * ListFilters.ELEMENT); // a text has an object header
        return text.substring(from, to);
    }

    private static @Nullable Object truncate(Filter.Given given) {
        if (given.value() == null) {
            return null;
        }
        String text = given.text();
        int length = given.has(0) ? Math.max(0, given.integer(0)) : 50;
        String end = given.has(1) ? given.text(1) : "...";
        if (text.codePointCount(0, text.length()) <= length) {
            return text;
        }
        int keeps = Math.max(0, length - end.codePointCount(0, end.length()));
        return out(given)
                .add(text, 0, text.offsetByCodePoints(0, keeps))
                .add(end)
                .toString();
    }

    private static @Nullable Object truncateWords(Filter.Given given) {
        if (given.value() == null) {
            return null;
        }
        String text = given.text();
        int most = given.has(0) ? Math.max(1, given.integer(0)) : 15;
        String end = given.has(1) ? given.text(1) : "...";
        var words = new ArrayList<@Nullable Object>();
        words(text, words, given.rendering());
        return words.size() <= most
                ? text
                : join(given, ListFilters.joined(words.subList(0, most), " ", given.rendering()), end);
    }
}
