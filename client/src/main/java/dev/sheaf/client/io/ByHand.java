package dev.sheaf.client.io;

import dev.sheaf.client.api.SheafException;
import java.time.DateTimeException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Parses JSON that every pull reads, without data binding. In a short-lived command, Jackson's preparation of a
/// record costs more than everything else. An absent or null member is null; a member of the wrong type is an
/// error.
public final class ByHand {
    private ByHand() {}

    /// Returns the value of an object.
    ///
    /// @param name the name of the type, for people
    /// @throws SheafException.Server if it is not an object, or `reader` fails
    public static <T> T read(JsonNode node, String name, Function<JsonNode, T> reader) {
        try {
            if (!node.isObject()) {
                throw new IllegalArgumentException("not an object");
            }
            return reader.apply(node);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new SheafException.Server(
                    "the registry's answer is not the expected JSON (" + name + ": " + e.getMessage() + ")");
        }
    }

    public static @Nullable String text(JsonNode node, String member) {
        JsonNode value = node.path(member);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isString()) {
            throw new IllegalArgumentException(member + " is not a string");
        }
        return value.stringValue();
    }

    public static long number(JsonNode node, String member) {
        JsonNode value = node.path(member);
        if (value.isMissingNode() || value.isNull()) {
            return 0;
        }
        if (!value.canConvertToLong() || !value.isIntegralNumber()) {
            throw new IllegalArgumentException(member + " is not an integer");
        }
        return value.longValue();
    }

    public static @Nullable Boolean flag(JsonNode node, String member) {
        JsonNode value = node.path(member);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isBoolean()) {
            throw new IllegalArgumentException(member + " is not a boolean");
        }
        return value.booleanValue();
    }

    public static <T> @Nullable T value(JsonNode node, String member, Function<String, T> parser) {
        String text = text(node, member);
        return text == null ? null : parser.apply(text);
    }

    public static <T> @Nullable T object(JsonNode node, String member, Function<JsonNode, @Nullable T> reader) {
        JsonNode value = node.path(member);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isObject()) {
            throw new IllegalArgumentException(member + " is not an object");
        }
        return reader.apply(value);
    }

    public static <T> @Nullable List<T> list(JsonNode node, String member, Function<JsonNode, @Nullable T> reader) {
        JsonNode value = node.path(member);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        return elements(value, member, reader);
    }

    public static <T> List<T> elements(JsonNode value, String name, Function<JsonNode, @Nullable T> reader) {
        if (!value.isArray()) {
            throw new IllegalArgumentException(name + " is not a list");
        }
        return StreamSupport.stream(value.spliterator(), false)
                .<T>map(reader::apply)
                .toList();
    }
}
