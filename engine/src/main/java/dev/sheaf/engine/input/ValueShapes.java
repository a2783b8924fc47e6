package dev.sheaf.engine.input;

import dev.sheaf.model.text.Unicode;
import tools.jackson.databind.JsonNode;

/// Checks the form of values in requests.
final class ValueShapes {
    private ValueShapes() {}

    /// Returns whether the database can store the text.
    static boolean isClean(String text) {
        return text.indexOf('\0') < 0 && isWellFormed(text);
    }

    static boolean isWellFormed(String text) {
        return Unicode.isWellFormed(text);
    }

    static boolean isCount(JsonNode value) {
        return value.isIntegralNumber() && value.canConvertToLong() && value.longValue() >= 0;
    }

    /// Returns whether every number in the value can be stored. A number such as `1e400` would become a string.
    static boolean hasKeptNumbers(JsonNode value) {
        return value.isContainer()
                ? value.valueStream().allMatch(ValueShapes::hasKeptNumbers)
                : !value.isFloatingPointNumber() || Double.isFinite(value.doubleValue());
    }

    static boolean isUnicode(JsonNode value) {
        return value.isString() && isWellFormed(value.stringValue());
    }
}
