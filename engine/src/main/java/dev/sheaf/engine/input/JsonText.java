package dev.sheaf.engine.input;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

/// A JSON value as text, in the form that the database stores. Immutable.
///
/// @param text the JSON without white space
public record JsonText(String text) {
    private static final int MAX_DEPTH = 100;
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .changeDefaultPropertyInclusion(value -> value.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    /// Parses the output of [#toString].
    public static JsonText parse(String text) {
        return new JsonText(text);
    }

    /// Returns the JSON value in a text; empty if the text is not valid JSON.
    public static Optional<JsonText> read(String text) {
        try {
            var value = MAPPER.readTree(text);
            boolean isKept = value != null && !value.isMissingNode() && ValueShapes.hasKeptNumbers(value);
            return !isKept || !ValueShapes.isWellFormed(text)
                    ? Optional.empty()
                    : Optional.of(new JsonText(value.toString()));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /// Returns the JSON of a record or a list.
    public static JsonText of(Object value) {
        return new JsonText(MAPPER.writeValueAsString(value));
    }

    /// Returns the record that was passed to [#of].
    public <T> T to(Class<T> type) {
        return MAPPER.readValue(text, type);
    }

    /// Returns the value as null, booleans, numbers, strings, lists and maps.
    public @Nullable Object value() {
        return MAPPER.readValue(text, Object.class);
    }

    /// Returns a member for an answer, which contains the JSON unchanged.
    public Object toWire() {
        return new RawValue(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
