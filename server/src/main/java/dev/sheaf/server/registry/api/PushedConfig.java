package dev.sheaf.server.registry.api;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Version;
import dev.sheaf.model.oci.BundleConfig;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.oci.OciPackaging;
import dev.sheaf.model.text.Unicode;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.registry.Descriptor;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.ManifestDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Parses the config of a bundle's manifest (contract 4), which the OCI client has uploaded as a blob.
public final class PushedConfig {
    private static final long MAX_BYTES = 4 << 20;
    private static final int MAX_NAME = 200; // the same as in JSON requests
    private static final int MAX_TEXT = 4_000;

    private final Repositories repositories;
    private final Blobs blobs;

    public PushedConfig(Repositories repositories, Blobs blobs) {
        this.repositories = repositories;
        this.blobs = blobs;
    }

    /// Returns the config if the manifest belongs to a bundle and the tag names a version. Also empty if the
    /// blob is missing; storing the manifest reports that.
    ///
    /// @throws ProblemException manifest-invalid if the config is not valid for a bundle; those of [Call#parsed]
    Optional<BundleConfig> of(Call call, RepositoryName name, String tag, ManifestDocument document) {
        return document.config()
                .filter(config -> config.mediaType().equals(MediaType.BUNDLE_CONFIG))
                .filter(config -> Version.ofOciTag(tag).isPresent())
                .flatMap(config -> bytes(call, name, config))
                .map(bytes -> call.parsed("the bundle's config", bytes, PushedConfig::read));
    }

    private Optional<byte[]> bytes(Call call, RepositoryName name, Descriptor config) {
        if (config.size() > MAX_BYTES) {
            throw new Problem.PayloadTooLarge("the bundle's config", MAX_BYTES, "bytes").raise();
        }
        return repositories
                .find(name)
                .flatMap(repository -> blobs.find(repository, config.digest()))
                .filter(blob -> blob.size() == config.size())
                .map(blob -> {
                    call.borrow("the bundle's config", blob.size(), 1);
                    return blobs.open(blob).bytes();
                });
    }

    public static BundleConfig read(byte[] bytes) {
        try {
            JsonNode root = Json.read(bytes);
            var assets = new ArrayList<OciPackaging.Asset>();
            if (root.has("assets") && !root.path("assets").isArray()) {
                throw new Problem.ManifestInvalid("assets must be an array").raise();
            }
            for (JsonNode asset : root.path("assets")) {
                assets.add(new OciPackaging.Asset(
                        LogicalPath.parse(text(asset, "logical_path")),
                        AssetType.ofInput(text(asset, "asset_type")),
                        Digest.ofSha256Hex(text(asset, "content_sha256")),
                        asset.path("size").asLong(-1),
                        MediaType.parse(text(asset, "media_type")),
                        false)); // the layers say which are executable
            }
            return new BundleConfig(name(root), optional(root, "description"), assets, requires(root));
        } catch (ProblemException e) {
            throw new Problem.ManifestInvalid(
                            "the bundle's config: " + e.problem().detail())
                    .raise();
        }
    }

    private static List<Requirement> requires(JsonNode root) {
        JsonNode sent = root.path("requires");
        if (!sent.isMissingNode() && (!sent.isArray() || sent.size() > Requirement.MOST)) {
            throw new Problem.ManifestInvalid("requires must be an array of at most " + Requirement.MOST + " entries")
                    .raise();
        }
        var requires = new ArrayList<Requirement>();
        for (JsonNode one : sent) {
            JsonNode optional = one.path("optional");
            if (!optional.isMissingNode() && !optional.isBoolean()) {
                throw new Problem.ManifestInvalid("optional must be true or false").raise();
            }
            requires.add(new Requirement(
                    RepositoryName.parse(text(one, "bundle")), text(one, "range"), optional.asBoolean(false)));
        }
        return requires;
    }

    private static String name(JsonNode root) {
        String name = text(root, "name");
        if (name.length() > MAX_NAME) {
            throw new Problem.ManifestInvalid("name must be at most " + MAX_NAME + " characters").raise();
        }
        return name;
    }

    private static String text(JsonNode node, String member) {
        String text = optional(node, member);
        if (text == null) {
            throw new Problem.ManifestInvalid(member + " is missing").raise();
        }
        return text;
    }

    private static @Nullable String optional(JsonNode node, String member) {
        JsonNode value = node.get(member);
        if (value == null || !value.isString()) {
            return null;
        }
        if (value.stringValue().length() > MAX_TEXT
                || value.stringValue().indexOf('\0') >= 0
                || !Unicode.isWellFormed(value.stringValue())) {
            throw new Problem.ManifestInvalid(
                            member + " must be at most " + MAX_TEXT + " characters of well-formed Unicode without NUL")
                    .raise();
        }
        return value.stringValue();
    }
}
