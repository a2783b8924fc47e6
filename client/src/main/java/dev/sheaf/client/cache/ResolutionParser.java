package dev.sheaf.client.cache;

import static dev.sheaf.client.io.ByHand.list;
import static dev.sheaf.client.io.ByHand.number;
import static dev.sheaf.client.io.ByHand.object;
import static dev.sheaf.client.io.ByHand.text;
import static dev.sheaf.client.io.ByHand.value;

import dev.sheaf.client.io.ByHand;
import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.ResolvedRequirement;
import dev.sheaf.model.wire.bundle.SkippedRequirement;
import java.time.Instant;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/// Parses resolve answers, which nearly every command needs, without data binding.
final class ResolutionParser {
    private ResolutionParser() {}

    /// Parses a resolve answer. Absent members become null.
    ///
    /// @throws SheafException.Server if it is not a resolve answer
    static Resolution of(JsonNode node) {
        return ByHand.read(node, "Resolution", ResolutionParser::resolution);
    }

    @SuppressWarnings("NullAway") // as with data binding: users check for null
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
                        manifest -> new Resolution.Layers(list(manifest, "layers", ResolutionParser::layer))),
                number(node, "sizeBytes"),
                text(node, "requested"),
                text(node, "resolvedBy"),
                list(node, "tags", tag -> tag.isString() ? tag.stringValue() : null),
                value(node, "publishedAt", Instant::parse),
                text(node, "publishedBy"),
                object(node, "yank", ResolutionParser::yank),
                object(
                        node,
                        "deprecation",
                        it -> new Resolution.Deprecation(text(it, "message"), text(it, "replacement"))),
                node.path("isSigned").asBoolean(false),
                text(node, "signerType"),
                value(node, "signedAt", Instant::parse),
                list(node, "closure", ResolutionParser::needed),
                list(node, "skipped", ResolutionParser::skipped));
    }

    @SuppressWarnings("NullAway") // as above
    private static ResolvedRequirement needed(JsonNode node) {
        return new ResolvedRequirement(
                text(node, "namespace"),
                text(node, "bundle"),
                text(node, "version"),
                text(node, "digest"),
                list(node, "requiredBy", by -> by.isString() ? by.stringValue() : null),
                text(node, "range"));
    }

    @SuppressWarnings("NullAway") // as above
    private static SkippedRequirement skipped(JsonNode node) {
        return new SkippedRequirement(text(node, "requiredBy"), text(node, "bundle"), text(node, "range"));
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
                text(node, "mediaType"),
                ByHand.flag(node, "executable"));
    }
}
