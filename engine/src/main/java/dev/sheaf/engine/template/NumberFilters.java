package dev.sheaf.engine.template;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.AbstractList;
import java.util.Map;
import java.util.RandomAccess;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Numbers and their filters. Whole numbers are `Long`; a whole number that does not fit is an error. Other
/// numbers are `Double`, computed as decimals, so that 0.1 + 0.2 is 0.3.
final class NumberFilters {
    private static final int LONGEST = 40; // digits that are read from a text
    private static final int MOST_PLACES = 20;
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1," + LONGEST + "}");
    private static final Pattern DECIMAL = Pattern.compile("[+-]?\\d{1," + LONGEST + "}\\.\\d{1," + LONGEST + "}");

    private NumberFilters() {}

    /// Consecutive whole numbers, computed on access.
    static final class Range extends AbstractList<Object> implements RandomAccess {
        private final long from;
        private final long to;

        Range(long from, long to, Rendering rendering) {
            if (to >= from && (to - from < 0 || to - from >= Template.MAX_PASSES)) {
                throw rendering.failure(
                        "the range (" + from + ".." + to + ") has more than " + Template.MAX_PASSES + " numbers");
            }
            this.from = from;
            this.to = to;
        }

        @Override
        public Object get(int index) {
            return from + index;
        }

        @Override
        public int size() {
            return (int) Math.max(0, to - from + 1);
        }

        @Override
        public String toString() {
            return from + ".." + to;
        }
    }

    static void addTo(Map<String, FilterSpec> filters) {
        filters.put(
                "abs", new FilterSpec(0, 0, given -> result(given, number(given).abs())));
        filters.put("plus", of(BigDecimal::add));
        filters.put("minus", of(BigDecimal::subtract));
        filters.put("times", of(BigDecimal::multiply));
        filters.put("at_least", of(BigDecimal::max));
        filters.put("at_most", of(BigDecimal::min));
        filters.put("divided_by", new FilterSpec(1, 1, NumberFilters::dividedBy));
        filters.put("modulo", new FilterSpec(1, 1, NumberFilters::modulo));
        filters.put("round", new FilterSpec(0, 1, NumberFilters::round));
        filters.put(
                "ceil", new FilterSpec(0, 0, given -> whole(given, number(given).setScale(0, RoundingMode.CEILING))));
        filters.put(
                "floor",
                new FilterSpec(0, 0, given -> whole(given, number(given).setScale(0, RoundingMode.FLOOR))));
        filters.put("sum", new FilterSpec(0, 1, NumberFilters::sum));
    }

    @FunctionalInterface
    private interface Operation {
        BigDecimal of(BigDecimal a, BigDecimal b);
    }

    private static FilterSpec of(Operation operation) {
        return new FilterSpec(1, 1, given -> {
            var a = read(given.value(), given);
            var b = read(given.argument(0), given);
            return typed(
                    given,
                    operation.of(TemplateValues.decimal(a), TemplateValues.decimal(b)),
                    isWhole(a) && isWhole(b));
        });
    }

    private static Object dividedBy(Filter.Given given) {
        var a = read(given.value(), given);
        var b = read(given.argument(0), given);
        if (TemplateValues.decimal(b).signum() == 0) {
            throw given.failure("cannot divide by zero");
        }
        if (isWhole(a) && isWhole(b)) {
            return whole(given, floorDivide(TemplateValues.decimal(a), TemplateValues.decimal(b)));
        }
        return finite(given, a.doubleValue() / b.doubleValue());
    }

    private static BigDecimal floorDivide(BigDecimal a, BigDecimal b) {
        var parts = a.divideAndRemainder(b);
        boolean down = parts[1].signum() != 0 && parts[1].signum() != b.signum();
        return down ? parts[0].subtract(BigDecimal.ONE) : parts[0];
    }

    private static Object modulo(Filter.Given given) {
        var a = read(given.value(), given);
        var b = read(given.argument(0), given);
        var divisor = TemplateValues.decimal(b);
        if (divisor.signum() == 0) {
            throw given.failure("cannot divide by zero");
        }
        var rest = TemplateValues.decimal(a).remainder(divisor);
        boolean down = rest.signum() != 0 && rest.signum() != divisor.signum();
        return typed(given, down ? rest.add(divisor) : rest, isWhole(a) && isWhole(b));
    }

    private static Object round(Filter.Given given) {
        int places = given.has(0) ? given.integer(0) : 0;
        if (Math.abs(places) > MOST_PLACES) {
            throw given.failure("takes at most " + MOST_PLACES + " places");
        }
        var rounded = number(given).setScale(places, RoundingMode.HALF_UP);
        return places > 0 ? finite(given, rounded.doubleValue()) : whole(given, rounded);
    }

    private static Object sum(Filter.Given given) {
        var sum = BigDecimal.ZERO;
        boolean isWhole = true;
        for (Object each : given.list()) {
            given.rendering().step();
            Object value = given.has(0) ? ListFilters.property(each, given) : each;
            if (value != null) {
                var number = read(value, given);
                isWhole &= isWhole(number);
                sum = sum.add(TemplateValues.decimal(number));
            }
        }
        return typed(given, sum, isWhole);
    }

    private static BigDecimal number(Filter.Given given) {
        return TemplateValues.decimal(read(given.value(), given));
    }

    private static boolean isWhole(Number number) {
        return !(number instanceof Double);
    }

    /// Reads a number, or a text that contains a number.
    private static Number read(@Nullable Object value, Filter.Given given) {
        if (value instanceof Number number) {
            return number;
        }
        if (value instanceof String text) {
            String trimmed = text.trim();
            if (WHOLE.matcher(trimmed).matches()) {
                var large = new BigInteger(trimmed);
                return large.bitLength() < Long.SIZE ? (Number) large.longValue() : large;
            }
            if (DECIMAL.matcher(trimmed).matches()) {
                return Double.parseDouble(trimmed);
            }
            throw given.failure("needs a number, but this is the text \"" + TagWords.shorten(text) + "\"");
        }
        throw given.failure("needs a number, but this is " + TemplateValues.kind(value));
    }

    /// Reads a whole number, or a text that contains one.
    static long integer(@Nullable Object value, String what, Rendering rendering) {
        if (value instanceof Long exact) {
            return exact;
        }
        if (value instanceof String text && WHOLE.matcher(text.trim()).matches()) {
            var large = new BigInteger(text.trim());
            if (large.bitLength() < Long.SIZE) {
                return large.longValue();
            }
        }
        throw rendering.failure(what + " needs a whole number, but this is " + TemplateValues.kind(value)
                + (value instanceof Number || value instanceof String
                        ? " (" + TagWords.shorten(TemplateValues.plain(value)) + ")"
                        : ""));
    }

    private static Object result(Filter.Given given, BigDecimal result) {
        return typed(given, result, isWhole(read(given.value(), given)));
    }

    private static Object typed(Filter.Given given, BigDecimal result, boolean isWhole) {
        return isWhole ? whole(given, result) : finite(given, result.doubleValue());
    }

    private static Object whole(Filter.Given given, BigDecimal number) {
        try {
            return number.longValueExact();
        } catch (ArithmeticException e) {
            throw given.failure("gives a number that is too large");
        }
    }

    private static Object finite(Filter.Given given, double number) {
        if (!Double.isFinite(number)) {
            throw given.failure("gives a number that is too large");
        }
        return number;
    }

    static int compare(Number a, Number b) {
        return a instanceof Long x && b instanceof Long y
                ? Long.compare(x, y)
                : TemplateValues.decimal(a).compareTo(TemplateValues.decimal(b));
    }

    static String text(Number number) {
        if (!(number instanceof Double)) {
            return number.toString();
        }
        String text = TemplateValues.decimal(number).toPlainString();
        return text.indexOf('.') < 0 ? text + ".0" : text;
    }
}
