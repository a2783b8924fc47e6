package dev.sheaf.client.io;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.bundle.TagRequest;
import dev.sheaf.model.wire.bundle.TagStatus;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The wire records as JSON: absent members are null, unknown members are ignored, nulls are not written.
public final class WireJson {
    private interface Protectable {
        @JsonProperty("protected")
        Object isProtected();
    }

    /// Made when it is first needed: that takes more than a tenth of the time of a short command.
    private static final class Binding {
        static final JsonMapper MAPPER = JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .changeDefaultPropertyInclusion(i -> i.withValueInclusion(JsonInclude.Include.NON_NULL))
                .addMixIn(TagStatus.class, Protectable.class)
                .addMixIn(TagRequest.class, Protectable.class)
                .build();

        private Binding() {}
    }

    private WireJson() {}

    /// Returns a wire record as indented JSON, with the API's member names.
    public static String pretty(Object wireRecord) {
        return Binding.MAPPER.writer(SerializationFeature.INDENT_OUTPUT).writeValueAsString(wireRecord);
    }

    /// Returns a wire record as JSON in one line.
    public static String line(Object wireRecord) {
        return Binding.MAPPER.writeValueAsString(wireRecord);
    }

    /// Returns a string as JSON, with quotes.
    public static String text(String value) {
        return Binding.MAPPER.writeValueAsString(value);
    }

    /// Returns the digest of a value, independent of the order of its members and of white space.
    public static Digest digest(JsonNode value) {
        return Digest.sha256(Binding.MAPPER
                .writer()
                .with(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
                .writeValueAsBytes(value));
    }

    /// Returns a document in one line.
    public static byte[] write(JsonNode document) {
        return JsonTree.write(document);
    }

    public static byte[] write(Object wireRecord) {
        return Binding.MAPPER.writeValueAsBytes(wireRecord);
    }

    public static <T> T read(byte[] json, Class<T> type) {
        return read(json, Binding.MAPPER.constructType(type));
    }

    /// Parses a value of `type`, whose type parameter is `parameter`.
    public static <T> T read(byte[] json, Class<?> type, Class<?> parameter) {
        return read(json, Binding.MAPPER.getTypeFactory().constructParametricType(type, parameter));
    }

    private static <T> T read(byte[] json, JavaType type) {
        try {
            T value = Binding.MAPPER.readValue(json, type);
            return present(value, "content");
        } catch (JacksonException e) {
            throw new SheafException.Server("the registry's answer is not the expected JSON ("
                    + type.getRawClass().getSimpleName() + ": " + e.getOriginalMessage() + ")");
        }
    }

    /// Returns a document as a value of `type`.
    public static <T> T read(JsonNode document, Class<T> type) {
        return read(write(document), type);
    }

    /// Parses the document of a response.
    ///
    /// @param name the name of the type, for people
    public static JsonNode document(byte[] json, String name) {
        JsonNode document = tree(json);
        if (document == null || !document.isObject()) {
            throw new SheafException.Server(
                    "the registry's answer is not the expected JSON (" + name + ": not an object)");
        }
        return document;
    }

    /// Returns an empty object.
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /// Parses a document; null if it is not JSON, since error bodies may be anything.
    public static @Nullable JsonNode tree(byte[] json) {
        try {
            return JsonTree.of(json);
        } catch (JacksonException e) {
            return null;
        }
    }

    /// Parses the object in a file that people edit and programs merge. Duplicate members are refused, since one
    /// of them would be lost silently.
    ///
    /// @throws IllegalArgumentException if it is malformed, with the line
    public static JsonNode strict(byte[] json) {
        try {
            JsonNode document = Binding.MAPPER
                    .reader()
                    .with(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .readTree(json);
            if (document != null && document.isObject()) {
                return document;
            }
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    (e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ")
                            + e.getOriginalMessage(),
                    e);
        }
        throw new IllegalArgumentException("it is not a JSON object");
    }

    /// Returns a member that the contract guarantees. Data binding cannot guarantee it: an absent member becomes
    /// null.
    public static <T> T present(@Nullable T value, String member) {
        if (value == null) {
            throw new SheafException.Server("the registry's answer lacks " + member);
        }
        return value;
    }
}
