package dev.sheaf.engine.template;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Filters of lists. Memory is counted before a list is made.
final class ListFilters {
    /// The memory of a list element, counted in characters: a reference in an array that grows.
    static final int ELEMENT = 4;

    private ListFilters() {}

    static void addTo(Map<String, FilterSpec> filters) {
        filters.put(
                "join",
                new FilterSpec(
                        0, 1, given -> joined(given.list(), given.has(0) ? given.text(0) : " ", given.rendering())));
        filters.put("first", new FilterSpec(0, 0, given -> end(given, List::getFirst)));
        filters.put("last", new FilterSpec(0, 0, given -> end(given, List::getLast)));
        filters.put("size", new FilterSpec(0, 0, ListFilters::size));
        filters.put("reverse", new FilterSpec(0, 0, given -> given.list().reversed()));
        filters.put("concat", new FilterSpec(1, 1, ListFilters::concat));
        filters.put("map", new FilterSpec(1, 1, ListFilters::map));
        filters.put(
                "sort",
                new FilterSpec(
                        0, 1, given -> sorted(given, (a, b) -> TemplateValues.compare(a, b, given.rendering()))));
        filters.put("sort_natural", new FilterSpec(0, 1, given -> sorted(given, (a, b) -> natural(a, b, given))));
        filters.put("uniq", new FilterSpec(0, 1, ListFilters::uniq));
        filters.put(
                "compact",
                new FilterSpec(
                        0, 1, given -> kept(given, each -> (given.has(0) ? property(each, given) : each) != null)));
        filters.put("where", new FilterSpec(1, 2, ListFilters::where));
    }

    private static @Nullable Object end(Filter.Given given, Function<List<?>, @Nullable Object> which) {
        return given.value() instanceof List<?> list && !list.isEmpty() ? which.apply(list) : null;
    }

    private static Object where(Filter.Given given) {
        return kept(given, each -> {
            Object value = property(each, given);
            return given.has(1)
                    ? TemplateValues.equal(value, given.argument(1), given.rendering())
                    : TemplateValues.isTrue(value);
        });
    }

    private static @Nullable Object size(Filter.Given given) {
        return switch (given.value()) {
            case String text -> (long) text.codePointCount(0, text.length());
            case List<?> list -> (long) list.size();
            case Map<?, ?> map -> (long) map.size();
            case null, default -> 0L;
        };
    }

    static List<@Nullable Object> flat(@Nullable Object value, Rendering rendering) {
        var all = new ArrayList<@Nullable Object>();
        flatten(value, all, rendering);
        return all;
    }

    private static void flatten(@Nullable Object value, List<@Nullable Object> to, Rendering rendering) {
        rendering.step();
        if (value instanceof List<?> list) {
            for (Object each : list) {
                if (each instanceof List<?>) {
                    flatten(each, to, rendering);
                } else {
                    rendering.step();
                    rendering.made(ELEMENT);
                    to.add(each);
                }
            }
        } else if (value != null) {
            to.add(value);
        }
    }

    static String joined(List<?> list, String glue, Rendering rendering) {
        var out = new BoundedText("a joined text", rendering);
        boolean isFirst = true;
        for (Object each : list) {
            rendering.step();
            if (!isFirst) {
                out.add(glue);
            }
            isFirst = false;
            out.add(TemplateValues.text(each, rendering));
        }
        return out.toString();
    }

    private static Object concat(Filter.Given given) {
        if (!(given.argument(0) instanceof List<?> more)) {
            throw given.failure("needs a list, but this is " + TemplateValues.kind(given.argument(0)));
        }
        var all = given.list();
        given.rendering().made((all.size() + more.size()) * ELEMENT);
        all.addAll(more);
        return all;
    }

    private static Object map(Filter.Given given) {
        var list = given.list();
        list.replaceAll(each -> property(each, given));
        return list;
    }

    /// Returns the member that the first argument names.
    static @Nullable Object property(@Nullable Object element, Filter.Given given) {
        given.rendering().step();
        if (element == null) {
            return null;
        }
        if (!(element instanceof Map<?, ?> map)) {
            throw given.failure("needs a list of objects, but one element is " + TemplateValues.kind(element));
        }
        return map.get(TemplateValues.plain(given.argument(0)));
    }

    /// Sorts; null values come last.
    private static Object sorted(Filter.Given given, Comparator<Object> order) {
        var list = given.list();
        Comparator<@Nullable Object> whole = (a, b) -> {
            Object x = given.has(0) ? property(a, given) : a;
            Object y = given.has(0) ? property(b, given) : b;
            return x == null || y == null ? Boolean.compare(x == null, y == null) : order.compare(x, y);
        };
        list.sort(whole);
        return list;
    }

    private static int natural(Object a, Object b, Filter.Given given) {
        String x = TemplateValues.text(a, given.rendering());
        String y = TemplateValues.text(b, given.rendering());
        given.rendering().work(Math.min(x.length(), y.length()));
        return x.compareToIgnoreCase(y);
    }

    private static Object uniq(Filter.Given given) {
        var texts = new HashSet<String>();
        var others = new HashSet<String>(); // as JSON, separate from texts: a text may look like JSON
        return kept(given, each -> {
            Object value = given.has(0) ? property(each, given) : each;
            return value instanceof String text
                    ? texts.add(text)
                    : others.add(JsonWriter.text(value, given.rendering()));
        });
    }

    private static Object kept(Filter.Given given, Predicate<@Nullable Object> which) {
        var kept = new ArrayList<@Nullable Object>();
        for (Object each : given.list()) {
            given.rendering().made(ELEMENT);
            if (which.test(each)) {
                kept.add(each);
            }
        }
        return Collections.unmodifiableList(kept);
    }
}
