package dev.sheaf.server.registry.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.text.Unicode;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.registry.Descriptor;
import dev.sheaf.server.registry.content.ManifestDocument;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Parses manifests (image-spec, "OCI Image Manifest", "OCI Image Index"; the two Docker types differ only in
/// their names). Ignores unknown members.
public final class ManifestJson {
    private static final Set<String> IMAGES = Set.of(MediaType.IMAGE_MANIFEST, MediaType.DOCKER_MANIFEST);
    private static final Set<String> INDEXES = Set.of(MediaType.IMAGE_INDEX, MediaType.DOCKER_LIST);
    private static final String SUPPORTED = String.join(
            " or ", MediaType.IMAGE_MANIFEST, MediaType.IMAGE_INDEX, MediaType.DOCKER_MANIFEST, MediaType.DOCKER_LIST);
    private static final int MAX_TYPE = 255;
    private static final String LAYERS = "layers";

    /// The limit of layers in an image, and of manifests in an index. A version has at most as many assets.
    static final int MAX_DESCRIPTORS = 10_000;
    /// The limit of annotations of a manifest, and of each of its descriptors.
    static final int MAX_ANNOTATIONS = 1_000;

    private ManifestJson() {}

    /// @throws ProblemException unsupported-media-type, or manifest-invalid with the broken rule
    public static ManifestDocument.Outline read(byte[] bytes, @Nullable String contentType) {
        JsonNode root = root(bytes);
        String declared = text(root, "mediaType", "");
        String sent = contentType == null
                ? Objects.requireNonNullElse(declared, "")
                : contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!IMAGES.contains(sent) && !INDEXES.contains(sent)) {
            throw new Problem.UnsupportedMediaType("Content-Type", sent, SUPPORTED).raise();
        }
        if (declared != null && !declared.equals(sent)) {
            throw invalid("its mediaType is " + declared + ", but it was sent as " + sent);
        }
        JsonNode schema = root.get("schemaVersion");
        if (schema == null || !schema.isIntegralNumber() || schema.asLong(0) != 2) {
            throw invalid("its schemaVersion must be 2");
        }
        return INDEXES.contains(sent) ? index(root, sent) : image(root, sent);
    }

    private static JsonNode root(byte[] bytes) {
        try {
            JsonNode root = Json.read(bytes);
            if (root.isObject()) {
                return root;
            }
        } catch (ProblemException e) {
            throw invalid(e.problem().detail());
        }
        throw invalid("it must be a JSON object");
    }

    private static ManifestDocument.Outline image(JsonNode root, String mediaType) {
        forbid(root, "manifests", "an image manifest");
        return new ManifestDocument.Outline(
                mediaType,
                text(root, "artifactType", ""),
                subject(root),
                descriptor(required(root, "config"), "config"),
                descriptors(required(root, LAYERS), LAYERS),
                List.of(),
                annotations(root, ""));
    }

    private static ManifestDocument.Outline index(JsonNode root, String mediaType) {
        forbid(root, LAYERS, "an index");
        forbid(root, "config", "an index");
        return new ManifestDocument.Outline(
                mediaType,
                text(root, "artifactType", ""),
                subject(root),
                null,
                List.of(),
                descriptors(required(root, "manifests"), "manifests"),
                annotations(root, ""));
    }

    /// Refuses a document that could be read as two types (CVE-2021-41190).
    private static void forbid(JsonNode root, String member, String kind) {
        if (root.has(member)) {
            throw invalid(kind + " must not have " + member);
        }
    }

    private static JsonNode required(JsonNode root, String member) {
        JsonNode value = root.get(member);
        if (value == null || value.isNull()) {
            throw invalid("it has no " + member);
        }
        return value;
    }

    private static @Nullable Digest subject(JsonNode root) {
        JsonNode subject = root.get("subject");
        return subject == null || subject.isNull()
                ? null
                : descriptor(subject, "subject").digest();
    }

    private static List<Descriptor> descriptors(JsonNode array, String place) {
        if (!array.isArray()) {
            throw invalid(place + " must be an array");
        }
        if (array.size() > MAX_DESCRIPTORS) {
            throw invalid(place + " has " + array.size() + " descriptors; the limit is " + MAX_DESCRIPTORS);
        }
        var descriptors = new ArrayList<Descriptor>(array.size());
        for (int i = 0; i < array.size(); i++) {
            descriptors.add(descriptor(array.get(i), place + "[" + i + "]"));
        }
        return descriptors;
    }

    private static Descriptor descriptor(JsonNode node, String place) {
        if (!node.isObject()) {
            throw invalid(place + " must be an object");
        }
        String mediaType = text(node, "mediaType", place + ".");
        if (mediaType == null) {
            throw invalid(place + ".mediaType is required");
        }
        JsonNode size = node.get("size");
        if (size == null || !size.isIntegralNumber() || !size.canConvertToLong() || !isSize(size.longValue())) {
            throw invalid(place + ".size must be a number of bytes, of at most " + Descriptor.MOST);
        }
        return new Descriptor(
                mediaType,
                digest(node, place),
                size.longValue(),
                annotations(node, place + "."),
                place.startsWith(LAYERS) && isForeign(node, mediaType));
    }

    private static boolean isSize(long bytes) {
        return bytes >= 0 && bytes <= Descriptor.MOST;
    }

    private static Digest digest(JsonNode node, String place) {
        String text = text(node, "digest", place + ".");
        try {
            return Digest.parse(text == null ? "" : text);
        } catch (ProblemException e) {
            throw invalid(place + ".digest: " + e.problem().detail());
        }
    }

    /// Returns whether a layer may not be distributed; it is then elsewhere, at its `urls` (image-spec,
    /// "Non-Distributable Layers").
    private static boolean isForeign(JsonNode node, String mediaType) {
        JsonNode urls = node.get("urls");
        return urls != null
                && urls.isArray()
                && !urls.isEmpty()
                && (mediaType.contains(".nondistributable.") || mediaType.contains(".foreign."));
    }

    private static Map<String, String> annotations(JsonNode node, String place) {
        JsonNode members = node.get("annotations");
        var annotations = new HashMap<String, String>();
        if (members == null || members.isNull()) {
            return annotations;
        }
        if (!members.isObject()) {
            throw invalid(place + "annotations must be an object");
        }
        if (members.size() > MAX_ANNOTATIONS) {
            throw invalid(place + "annotations has " + members.size() + " members; the limit is " + MAX_ANNOTATIONS);
        }
        members.properties().forEach(member -> {
            if (!member.getValue().isString()) {
                throw invalid(place + "annotations must be strings");
            }
            if (!Unicode.isWellFormed(member.getKey())
                    || !Unicode.isWellFormed(member.getValue().stringValue())) {
                throw invalid(place + "annotations must be well-formed Unicode");
            }
            annotations.put(member.getKey(), member.getValue().stringValue());
        });
        return annotations;
    }

    private static @Nullable String text(JsonNode node, String member, String place) {
        JsonNode value = node.get(member);
        if (value == null
                || value.isNull()
                || value.isString() && value.stringValue().isEmpty()) {
            return null;
        }
        if (!value.isString() || value.stringValue().length() > MAX_TYPE) {
            throw invalid(place + member + " must be a string of at most " + MAX_TYPE + " characters");
        }
        if (!Unicode.isWellFormed(value.stringValue()) || value.stringValue().indexOf('\0') >= 0) {
            throw invalid(place + member + " must be well-formed Unicode without NUL");
        }
        return value.stringValue();
    }

    private static ProblemException invalid(String rule) {
        return new Problem.ManifestInvalid("the manifest is not valid: " + rule).raise();
    }
}
