package dev.sheaf.server.input;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

/// A JSON value as text, as rows keep it. Immutable.
///
/// @param text without white space
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

    /// Reads what [#toString] wrote.
    public static JsonText parse(String text) {
        return new JsonText(text);
    }

    /// The JSON value that a text is; empty where it is none.
    public static Optional<JsonText> read(String text) {
        try {
            var value = MAPPER.readTree(text);
            boolean isKept = value != null && !value.isMissingNode() && Shapes.hasKeptNumbers(value);
            return !isKept || !Shapes.isWellFormed(text)
                    ? Optional.empty()
                    : Optional.of(new JsonText(value.toString()));
        } catch (JacksonException e) {
            return Optional.empty();
        }
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
