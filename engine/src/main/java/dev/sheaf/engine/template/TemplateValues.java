package dev.sheaf.engine.template;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The values of a template: null, a boolean, a number (`Long`, `Double`, or `BigInteger` for larger ones), a
/// string, a list or a map. There is nothing else, so a template cannot reach any object.
final class TemplateValues {
    private static final int MAX_DEPTH = 100;

    private TemplateValues() {}

    /// Copies the variables, so that nobody else can change them, and refuses all other types.
    static Map<String, @Nullable Object> copy(Map<?, ?> variables, Rendering rendering) {
        var copy = new LinkedHashMap<String, @Nullable Object>();
        variables.forEach((name, value) -> copy.put(plain(name), copy(value, 0, rendering)));
        return Collections.unmodifiableMap(copy);
    }

    private static @Nullable Object copy(@Nullable Object value, int depth, Rendering rendering) {
        rendering.step();
        if (depth > MAX_DEPTH) {
            throw rendering.failure("the variables are nested deeper than " + MAX_DEPTH);
        }
        return switch (value) {
            case null -> null;
            case String text -> text;
            case Boolean truth -> truth;
            case Number number -> number(number, rendering);
            case List<?> list -> {
                var copy = new ArrayList<@Nullable Object>(list.size());
                list.forEach(each -> copy.add(copy(each, depth + 1, rendering)));
                yield Collections.unmodifiableList(copy);
            }
            case Map<?, ?> map -> {
                var copy = new LinkedHashMap<String, @Nullable Object>();
                map.forEach((key, each) -> copy.put(plain(key), copy(each, depth + 1, rendering)));
                yield Collections.unmodifiableMap(copy);
            }
            default -> throw new IllegalArgumentException("not a JSON value: " + value.getClass());
        };
    }

    private static Number number(Number number, Rendering rendering) {
        return switch (number) {
            case Long exact -> exact;
            case Integer exact -> exact.longValue();
            case Short exact -> exact.longValue();
            case Byte exact -> exact.longValue();
            case BigInteger large -> large.bitLength() < Long.SIZE ? (Number) large.longValue() : large;
            default -> {
                double inexact = number.doubleValue();
                if (!Double.isFinite(inexact)) {
                    throw rendering.failure("the variables contain a number that is too large");
                }
                yield inexact;
            }
        };
    }

    /// Returns the key that a value stands for. Lists and objects have none.
    static String plain(@Nullable Object value) {
        return switch (value) {
            case String text -> text;
            case Number number -> number.toString();
            case Boolean truth -> truth.toString();
            case null, default -> kind(value);
        };
    }

    static String kind(@Nullable Object value) {
        return switch (value) {
            case null -> "nothing";
            case String text -> "text";
            case Boolean truth -> "true or false";
            case Number number -> "a number";
            case List<?> list -> "a list";
            default -> "an object";
        };
    }

    static boolean isTrue(@Nullable Object value) {
        return value != null && !Boolean.FALSE.equals(value);
    }

    /// @param orBlank whether null, false and a text of only spaces count as empty
    static boolean isEmpty(@Nullable Object value, boolean orBlank) {
        return switch (value) {
            case null -> orBlank;
            case Boolean truth -> orBlank && !truth;
            case String text -> orBlank ? text.isBlank() : text.isEmpty();
            case List<?> list -> list.isEmpty();
            case Map<?, ?> map -> map.isEmpty();
            default -> false;
        };
    }

    /// Returns the text that an output shows: a list is its elements without a separator, an object is JSON.
    static String text(@Nullable Object value, Rendering rendering) {
        return switch (value) {
            case null -> "";
            case String text -> text;
            case Boolean truth -> truth.toString();
            case Number number -> NumberFilters.text(number);
            case NumberFilters.Range range -> range.toString();
            case List<?> list -> ListFilters.joined(list, "", rendering);
            default -> JsonWriter.text(value, rendering);
        };
    }

    static boolean equal(@Nullable Object a, @Nullable Object b, Rendering rendering) {
        rendering.step();
        if (a instanceof Number x && b instanceof Number y) {
            return NumberFilters.compare(x, y) == 0;
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            var others = y.iterator();
            return x.size() == y.size() && x.stream().allMatch(each -> equal(each, others.next(), rendering));
        }
        if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
            return x.size() == y.size()
                    && x.entrySet().stream()
                            .allMatch(each -> y.containsKey(each.getKey())
                                    && equal(each.getValue(), y.get(each.getKey()), rendering));
        }
        if (a instanceof String x && b instanceof String y) {
            rendering.work(Math.min(x.length(), y.length()));
        }
        return a == null ? b == null : a.equals(b);
    }

    /// Compares two numbers or two texts.
    static int compare(Object a, Object b, Rendering rendering) {
        rendering.step();
        if (a instanceof Number x && b instanceof Number y) {
            return NumberFilters.compare(x, y);
        }
        if (a instanceof String x && b instanceof String y) {
            rendering.work(Math.min(x.length(), y.length()));
            return x.compareTo(y);
        }
        throw rendering.failure("cannot compare " + kind(a) + " with " + kind(b));
    }

    static BigDecimal decimal(Number number) {
        return switch (number) {
            case Long exact -> BigDecimal.valueOf(exact);
            case BigInteger large -> new BigDecimal(large);
            default -> BigDecimal.valueOf(number.doubleValue());
        };
    }
}
