package dev.sheaf.engine.template;

import org.jspecify.annotations.Nullable;

/// Parses a `for` tag.
final class LoopReader {
    private LoopReader() {}

    static TemplateNode.Loop read(int line, TagWords words) {
        var reader = new ExpressionReader(words);
        String variable = words.name("a name after for");
        if (!words.takesName("in")) {
            throw words.failure(
                    "expected in after for " + TagWords.shorten(variable) + ", found " + TagWords.shown(words.peek()));
        }
        var list = reader.value();
        boolean isReversed = false;
        boolean continues = false;
        Expression limit = null;
        Expression offset = null;
        while (!words.isAtEnd()) {
            String key = words.takeKey();
            if (key == null && words.takesName("reversed")) {
                isReversed = true;
            } else if ("limit".equals(key)) {
                limit = reader.value();
            } else if ("offset".equals(key) && words.takesName("continue")) {
                continues = true;
            } else if ("offset".equals(key)) {
                offset = reader.value();
            } else if (words.isSign("|")) {
                words.end("in for");
            } else {
                throw words.failure("for takes reversed, limit: and offset:, but not "
                        + (key == null ? TagWords.shown(words.peek()) : TagWords.shorten(key)));
            }
            words.takesSign(",");
        }
        return new TemplateNode.Loop(
                line, variable, list, variable + '-' + name(list), isReversed, limit, offset, continues);
    }

    private static @Nullable Object name(Expression list) {
        return switch (list) {
            case Expression.Path path -> path.text();
            case Expression.Interval interval -> "(" + name(interval.from()) + ".." + name(interval.to()) + ")";
            case Expression.Literal(var value) -> value;
            default -> "";
        };
    }
}
