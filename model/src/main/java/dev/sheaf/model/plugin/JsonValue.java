package dev.sheaf.model.plugin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A value of a JSON document with its line, from 1.
sealed interface JsonValue {
    int line();

    record Text(int line, String value) implements JsonValue {}

    record Items(int line, List<JsonValue> values) implements JsonValue {
        public Items {
            values = List.copyOf(values);
        }
    }

    /// @param values the members in the order of the file
    record Members(int line, Map<String, JsonValue> values) implements JsonValue {
        public Members {
            values = new LinkedHashMap<>(values);
        }
    }

    /// A number, true, false or null.
    record Other(int line) implements JsonValue {}
}
