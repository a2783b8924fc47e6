package dev.sheaf.server.input;

import dev.sheaf.model.text.Unicode;
import tools.jackson.databind.JsonNode;

/// What values of a request must look like.
final class Shapes {
    private Shapes() {}

    /// Whether a database can keep the text.
    static boolean isClean(String text) {
        return text.indexOf('\0') < 0 && isWellFormed(text);
    }

    static boolean isWellFormed(String text) {
        return Unicode.isWellFormed(text);
    }

    static boolean isCount(JsonNode value) {
        return value.isIntegralNumber() && value.canConvertToLong() && value.longValue() >= 0;
    }

    /// Whether every number in it can be kept: one such as `1e400` would become a text.
    static boolean hasKeptNumbers(JsonNode value) {
        return value.isContainer()
                ? value.valueStream().allMatch(Shapes::hasKeptNumbers)
                : !value.isFloatingPointNumber() || Double.isFinite(value.doubleValue());
    }

    static boolean isUnicode(JsonNode value) {
        return value.isString() && isWellFormed(value.stringValue());
    }
}
