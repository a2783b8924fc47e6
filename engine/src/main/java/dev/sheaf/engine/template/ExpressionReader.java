package dev.sheaf.engine.template;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Parses values, filters and conditions from words.
final class ExpressionReader {
    private final TagWords words;
    private int depth;

    ExpressionReader(TagWords words) {
        this.words = words;
    }

    /// Reads a value and its filters, up to the end.
    Expression filtered(String where) {
        var base = value();
        var calls = new ArrayList<Expression.Call>();
        while (words.takesSign("|")) {
            calls.add(call());
        }
        words.end(where);
        return calls.isEmpty() ? base : new Expression.Filtered(base, List.copyOf(calls));
    }

    private Expression.Call call() {
        String name = words.name("the name of a filter");
        var arguments = new ArrayList<Expression>();
        var named = new LinkedHashMap<String, Expression>();
        if (words.takesSign(":")) {
            do {
                String key = words.takeKey();
                if (key == null) {
                    arguments.add(value());
                } else {
                    named.put(key, value());
                }
            } while (words.takesSign(","));
        }
        return Filters.call(name, arguments, named, words);
    }

    /// Reads a condition, up to the end.
    Condition condition(String where) {
        var parts = new ArrayList<Condition>();
        var joints = new ArrayList<Boolean>(); // true for `and`
        parts.add(comparison());
        for (boolean isAnd = words.takesName("and"); isAnd || words.takesName("or"); isAnd = words.takesName("and")) {
            joints.add(isAnd);
            parts.add(comparison());
        }
        words.end(where);
        if (parts.size() > Template.MAX_NESTING) {
            throw words.failure("more than " + Template.MAX_NESTING + " conditions in one tag");
        }
        var condition = parts.getLast();
        for (int i = joints.size() - 1; i >= 0; i--) {
            condition = new Condition.Joined(parts.get(i), joints.get(i), condition);
        }
        return condition;
    }

    private Condition comparison() {
        var left = value();
        String operator = switch (words.peek().text()) {
            case "==", "!=", "<>", "<", ">", "<=", ">=" ->
                words.peek().kind() == TagWords.Kind.SIGN ? words.take().text() : "";
            default -> words.takesName("contains") ? "contains" : "";
        };
        return operator.isEmpty() ? new Condition.Truth(left) : new Condition.Comparison(left, operator, value());
    }

    Expression value() {
        if (++depth > Template.MAX_NESTING) {
            throw words.failure("brackets are nested deeper than " + Template.MAX_NESTING);
        }
        try {
            var word = words.take();
            return switch (word.kind()) {
                case STRING -> new Expression.Literal(word.text());
                case NUMBER -> new Expression.Literal(number(word.text()));
                case NAME -> named(word.text());
                case SIGN, END -> {
                    if (!word.text().equals("(")) {
                        throw words.failure("expected a value, found " + TagWords.shown(word));
                    }
                    yield interval();
                }
            };
        } finally {
            depth--;
        }
    }

    private Expression interval() {
        var from = value();
        words.sign("..", "in a range, such as (1..5)");
        var to = value();
        words.sign(")", "after a range");
        return new Expression.Interval(from, to);
    }

    private Number number(String text) {
        if (text.indexOf('.') >= 0) {
            double number = Double.parseDouble(text);
            if (!Double.isFinite(number)) {
                throw words.failure("the number " + TagWords.shorten(text) + " is too large");
            }
            return number;
        }
        if (text.length() > 20 || new BigInteger(text).bitLength() >= Long.SIZE) {
            throw words.failure("the number " + TagWords.shorten(text) + " is too large");
        }
        return Long.parseLong(text);
    }

    private Expression named(String name) {
        if (!words.isSign(".") && !words.isSign("[")) {
            switch (name) {
                case "nil", "null":
                    return new Expression.Literal(null);
                case "true", "false":
                    return new Expression.Literal(name.equals("true"));
                case "empty", "blank":
                    return new Expression.Nothing(name.equals("blank"));
                default:
            }
        }
        return path(name);
    }

    private Expression path(String root) {
        var keys = new ArrayList<Expression>();
        var text = new StringBuilder(root);
        while (words.isSign(".") || words.isSign("[")) {
            if (words.takesSign(".")) {
                String key = words.name("a name after .");
                keys.add(new Expression.Literal(key));
                text.append('.').append(key);
            } else {
                words.take();
                var key = value();
                words.sign("]", "after [");
                keys.add(key);
                text.append('[').append(shown(key)).append(']');
            }
        }
        return new Expression.Path(root, List.copyOf(keys), TagWords.shorten(text.toString()));
    }

    private static String shown(Expression key) {
        return switch (key) {
            case Expression.Literal(String name) -> '\'' + name + '\'';
            case Expression.Literal(var number) -> String.valueOf(number);
            case Expression.Path path -> path.text();
            default -> "...";
        };
    }
}
