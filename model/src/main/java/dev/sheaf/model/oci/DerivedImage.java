package dev.sheaf.model.oci;

import dev.sheaf.model.Digest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Builds the config and the one-layer manifest of artifacts that are derived from a version for other
/// programs: skill artifacts and images. The bytes depend only on the arguments.
public final class DerivedImage {
    /// The artifact type of a skill.
    public static final String SKILL = "application/vnd.agentskills.skill.v1";
    /// The media type of the config of a skill.
    public static final String SKILL_CONFIG = "application/vnd.agentskills.skill.config.v1+json";
    /// The media type of the files of a skill.
    public static final String SKILL_LAYER = "application/vnd.agentskills.skill.content.v1.tar+gzip";
    /// The media type of the config of an image.
    public static final String IMAGE_CONFIG = "application/vnd.oci.image.config.v1+json";
    /// The media type of the files of an image.
    public static final String IMAGE_LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";

    /// The annotation that names the original manifest: `namespace/bundle@digest`.
    public static final String SOURCE = "dev.sheaf.source.manifest";

    private DerivedImage() {}

    /// The metadata of a skill.
    public record SkillConfig(
            String name,
            String version,
            @Nullable String description,
            @Nullable String license,
            @Nullable String compatibility,
            List<String> allowedTools,
            Map<String, String> metadata) {
        public SkillConfig {
            allowedTools = List.copyOf(allowedTools);
            metadata = Map.copyOf(metadata);
        }
    }

    /// A descriptor in a manifest.
    public record Part(String mediaType, Digest digest, long size, Map<String, String> annotations) {
        public Part {
            annotations = Map.copyOf(annotations);
        }

        /// Returns the part with this content.
        public static Part of(String mediaType, byte[] content) {
            return new Part(mediaType, Digest.sha256(content), content.length, Map.of());
        }
    }

    /// Returns the config of a skill, as JSON.
    public static byte[] config(SkillConfig skill) {
        var json = new CanonicalJson().object();
        json.member("schemaVersion", "1");
        json.member("name", skill.name());
        json.member("version", skill.version());
        optional(json, "description", skill.description());
        optional(json, "license", skill.license());
        optional(json, "compatibility", skill.compatibility());
        json.name("allowedTools").array();
        skill.allowedTools().forEach(json::item);
        json.end();
        texts(json, "metadata", skill.metadata());
        return bytes(json.end());
    }

    private static void optional(CanonicalJson json, String name, @Nullable String value) {
        if (value != null) {
            json.member(name, value);
        }
    }

    /// Returns the config of an image that only contains files (image-spec, "OCI Image Configuration").
    ///
    /// @param layer the digest of the layer's tar archive before compression
    public static byte[] config(Instant created, Digest layer, String createdBy) {
        var json = new CanonicalJson().object();
        json.member("created", created.toString());
        json.member("architecture", "amd64");
        json.member("os", "linux");
        json.name("config").object().end();
        json.name("rootfs").object();
        json.member("type", "layers");
        json.name("diff_ids").array().item(layer.toString()).end().end();
        json.name("history").array().object();
        json.member("created", created.toString());
        json.member("created_by", createdBy);
        json.end().end();
        return bytes(json.end());
    }

    /// Returns the manifest.
    ///
    /// @param artifactType null to leave it out
    public static byte[] manifest(
            @Nullable String artifactType, Part config, Part layer, Map<String, String> annotations) {
        var json = new CanonicalJson().object();
        json.member("schemaVersion", 2);
        json.member("mediaType", MediaType.IMAGE_MANIFEST);
        optional(json, "artifactType", artifactType);
        json.name("config");
        part(json, config);
        json.name("layers").array();
        part(json, layer);
        json.end();
        texts(json, "annotations", annotations);
        return bytes(json.end());
    }

    private static void part(CanonicalJson json, Part part) {
        json.object();
        json.member("mediaType", part.mediaType());
        json.member("digest", part.digest().toString());
        json.member("size", part.size());
        if (!part.annotations().isEmpty()) {
            texts(json, "annotations", part.annotations());
        }
        json.end();
    }

    private static void texts(CanonicalJson json, String name, Map<String, String> members) {
        json.name(name).object();
        new TreeMap<>(members).forEach(json::member);
        json.end();
    }

    private static byte[] bytes(CanonicalJson json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }
}
