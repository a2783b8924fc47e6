package dev.sheaf.client.io;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Reads and writes JSON as a tree without a mapper, whose classes take longer to load than a manifest to read. The
/// parser's own
/// limits bound the depth and the length of names and numbers.
final class JsonTree {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private JsonTree() {}

    /// Returns the value; null if there is none. Of two members with one name the last counts.
    ///
    /// @throws tools.jackson.core.JacksonException if it is malformed, or if something follows the value
    static @Nullable JsonNode of(byte[] json) {
        try (var parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() == null) {
                return null;
            }
            JsonNode value = value(parser);
            if (parser.nextToken() != null) {
                throw unexpected(parser);
            }
            return value;
        }
    }

    private static StreamReadException unexpected(JsonParser parser) {
        return new StreamReadException(parser, "unexpected " + parser.currentToken());
    }

    private static JsonNode value(JsonParser parser) {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> {
                var array = NODES.arrayNode();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser));
                }
                yield array;
            }
            case VALUE_STRING -> NODES.stringNode(parser.getString());
            case VALUE_NUMBER_INT -> integer(parser);
            case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL -> NODES.nullNode();
            default -> throw unexpected(parser);
        };
    }

    private static ObjectNode object(JsonParser parser) {
        var object = NODES.objectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            object.set(name, value(parser));
        }
        return object;
    }

    private static JsonNode integer(JsonParser parser) {
        return switch (parser.getNumberType()) {
            case INT -> NODES.numberNode(parser.getIntValue());
            case LONG -> NODES.numberNode(parser.getLongValue());
            default -> NODES.numberNode(parser.getBigIntegerValue());
        };
    }

    /// Returns the value as JSON in one line.
    static byte[] write(JsonNode value) {
        var out = new ByteArrayOutputStream();
        try (var generator = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            write(generator, value);
        }
        return out.toByteArray();
    }

    private static void write(JsonGenerator generator, JsonNode value) {
        switch (value.getNodeType()) {
            case OBJECT -> {
                generator.writeStartObject();
                value.properties().forEach(member -> {
                    generator.writeName(member.getKey());
                    write(generator, member.getValue());
                });
                generator.writeEndObject();
            }
            case ARRAY -> {
                generator.writeStartArray();
                value.forEach(element -> write(generator, element));
                generator.writeEndArray();
            }
            case STRING -> generator.writeString(value.stringValue());
            case NUMBER -> number(generator, value);
            case BOOLEAN -> generator.writeBoolean(value.booleanValue());
            default -> generator.writeNull();
        }
    }

    /// Writes a number as its text. One beyond the range of a double was read as infinite, whose text is not JSON.
    private static void number(JsonGenerator generator, JsonNode value) {
        if (value.isDouble()) {
            generator.writeNumber(value.doubleValue());
        } else {
            generator.writeNumber(value.asString());
        }
    }
}
