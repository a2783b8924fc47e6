package dev.sheaf.client;

import dev.sheaf.model.wire.Layer;
import dev.sheaf.model.wire.Resolution;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Reads the answer of resolve by hand. Nearly every command reads this one, and to have Jackson make ready for a
/// record of so many members costs a sixth of all that a command does.
final class Resolutions {
    private Resolutions() {}

    /// Members that are absent arrive as null.
    ///
    /// @throws SheafException.Server where it is none
    static Resolution of(JsonNode node) {
        try {
            if (!node.isObject()) {
                throw new IllegalArgumentException("it is no object");
            }
            return resolution(node);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new SheafException.Server(
                    "the registry's answer is not the JSON that it should be (Resolution: " + e.getMessage() + ")");
        }
    }

    @SuppressWarnings("NullAway") // as by binding: whoever uses a member looks whether it is there
    private static Resolution resolution(JsonNode node) {
        return new Resolution(
                value(node, "bundleId", UUID::fromString),
                value(node, "versionId", UUID::fromString),
                text(node, "namespace"),
                text(node, "slug"),
                text(node, "ref"),
                text(node, "version"),
                text(node, "name"),
                text(node, "description"),
                text(node, "sourceType"),
                text(node, "state"),
                text(node, "visibility"),
                text(node, "ociRef"),
                text(node, "ociDigest"),
                text(node, "ociPinnedRef"),
                object(
                        node,
                        "manifest",
                        manifest -> new Resolution.Layers(list(manifest, "layers", Resolutions::layer))),
                number(node, "sizeBytes"),
                text(node, "requested"),
                text(node, "resolvedBy"),
                list(node, "tags", tag -> tag.isString() ? tag.stringValue() : null),
                value(node, "publishedAt", Instant::parse),
                text(node, "publishedBy"),
                object(node, "yank", Resolutions::yank),
                object(
                        node,
                        "deprecation",
                        it -> new Resolution.Deprecation(text(it, "message"), text(it, "replacement"))),
                node.path("isSigned").asBoolean(false),
                text(node, "signerType"),
                value(node, "signedAt", Instant::parse));
    }

    @SuppressWarnings("NullAway") // as above
    private static Resolution.Yank yank(JsonNode node) {
        return new Resolution.Yank(
                value(node, "at", Instant::parse),
                text(node, "by"),
                text(node, "reason"),
                text(node, "reasonCode"),
                text(node, "replacement"));
    }

    @SuppressWarnings("NullAway") // as above
    private static Layer layer(JsonNode node) {
        return new Layer(
                value(node, "assetId", UUID::fromString),
                text(node, "logicalPath"),
                text(node, "assetType"),
                text(node, "contentSha256"),
                number(node, "sizeBytes"),
                text(node, "mediaType"));
    }

    private static @Nullable String text(JsonNode node, String member) {
        JsonNode value = node.path(member);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isString()) {
            throw new IllegalArgumentException(member + " is no string");
        }
        return value.stringValue();
    }

    private static long number(JsonNode node, String member) {
        JsonNode value = node.path(member);
        if (value.isMissingNode() || value.isNull()) {
            return 0;
        }
        if (!value.canConvertToLong() || !value.isIntegralNumber()) {
            throw new IllegalArgumentException(member + " is no whole number");
        }
        return value.longValue();
    }

    private static <T> @Nullable T value(JsonNode node, String member, Function<String, T> parser) {
        String text = text(node, member);
        return text == null ? null : parser.apply(text);
    }

    private static <T> @Nullable T object(JsonNode node, String member, Function<JsonNode, T> reader) {
        JsonNode value = node.path(member);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isObject()) {
            throw new IllegalArgumentException(member + " is no object");
        }
        return reader.apply(value);
    }

    private static <T> @Nullable List<T> list(JsonNode node, String member, Function<JsonNode, @Nullable T> reader) {
        JsonNode value = node.path(member);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isArray()) {
            throw new IllegalArgumentException(member + " is no list");
        }
        return StreamSupport.stream(value.spliterator(), false)
                .<T>map(reader::apply)
                .toList();
    }
}
