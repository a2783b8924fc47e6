package dev.sheaf.server.input;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

/// A JSON value as text, as rows keep it. Immutable.
///
/// @param text without white space
public record JsonText(String text) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /// Reads what [#toString] wrote.
    public static JsonText parse(String text) {
        return new JsonText(text);
    }

    /// The JSON of a record or a list.
    public static JsonText of(Object value) {
        return new JsonText(MAPPER.writeValueAsString(value));
    }

    /// The record that [#of] was given.
    public <T> T to(Class<T> type) {
        return MAPPER.readValue(text, type);
    }

    /// The value as null, booleans, numbers, texts, lists and maps.
    public @Nullable Object value() {
        return MAPPER.readValue(text, Object.class);
    }

    /// As a member of an answer, where it stands as it is.
    public Object toWire() {
        return new RawValue(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
