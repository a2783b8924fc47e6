package dev.sheaf.model.oci;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Version;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Turns the assets of a version into its OCI config and manifest (contract 4). Uses neither clock nor random
/// numbers, and sorts assets by path: the same input gives the same bytes, hence the same digest, on every
/// machine. The JSON is written here and not by a library because every byte is part of the contract: no white
/// space, members in the order below, and in strings only `"`, `\` and control characters are escaped (RFC 8785,
/// section 3.2.2.2).
public final class OciPackaging {
    /// An asset: its path and kind, the digest and length of its bytes, and whether its owner may execute it.
    public record Asset(
            LogicalPath path, AssetType type, Digest digest, long size, String mediaType, boolean executable) {
        private Asset plain() {
            return new Asset(path, type, digest, size, mediaType, false);
        }
    }

    /// Bytes with their digest.
    public static final class Document {
        private final byte[] bytes;
        private final Digest digest;

        private Document(String json) {
            this.bytes = json.getBytes(StandardCharsets.UTF_8);
            this.digest = Digest.sha256(bytes);
        }

        /// Returns the bytes themselves, not a copy; do not change them.
        public byte[] bytes() {
            return bytes;
        }

        /// Returns the digest of the document.
        public Digest digest() {
            return digest;
        }
    }

    private final Document config;
    private final List<Asset> assets;
    private final Document manifest;

    private OciPackaging(Document config, List<Asset> assets) {
        this.config = config;
        this.assets = assets;
        this.manifest = manifest(config.digest(), config.bytes().length, assets);
    }

    /// Packs a version. `assets` and `requires` may be in any order; their paths and bundles must be distinct.
    public static OciPackaging of(
            RepositoryName repository,
            Version version,
            String name,
            @Nullable String description,
            List<Asset> assets,
            List<Requirement> requires) {
        var sorted = assets.stream().sorted(Comparator.comparing(Asset::path)).toList();
        return new OciPackaging(
                new Document(config(repository, version, name, description, sorted, Requirement.sorted(requires))),
                sorted);
    }

    /// Returns the config.
    public Document config() {
        return config;
    }

    /// Returns the manifest.
    public Document manifest() {
        return manifest;
    }

    /// Returns the packaging without executable files: versions were packed like this before file modes were
    /// stored. The config is the same, since it does not contain modes.
    public OciPackaging withoutModes() {
        return assets.stream().anyMatch(Asset::executable)
                ? new OciPackaging(config, assets.stream().map(Asset::plain).toList())
                : this;
    }

    private static String config(
            RepositoryName repository,
            Version version,
            String name,
            @Nullable String description,
            List<Asset> assets,
            List<Requirement> requires) {
        var json = new CanonicalJson().object();
        json.member("namespace", repository.namespace().value());
        json.member("slug", repository.bundle().value());
        json.member("version", version.toString());
        json.member("name", name);
        if (description != null) {
            json.member("description", description);
        }
        json.name("assets").array();
        for (Asset asset : assets) {
            json.object();
            json.member("logical_path", asset.path().value());
            json.member("asset_type", asset.type().toString());
            json.member("content_sha256", asset.digest().hex());
            json.member("size", asset.size());
            json.member("media_type", asset.mediaType());
            json.end();
        }
        json.end();
        if (!requires.isEmpty()) { // versions without any keep the digests that they had before there were any
            json.name("requires").array();
            for (Requirement requirement : requires) {
                json.object();
                json.member("bundle", requirement.bundle().toString());
                json.member("range", requirement.range());
                if (requirement.optional()) {
                    json.member("optional", true);
                }
                json.end();
            }
            json.end();
        }
        return json.end().toString();
    }

    /// Returns the manifest of these assets, in this order. Only the digest and length of the config are
    /// needed.
    public static Document manifest(Digest config, long configSize, List<Asset> assets) {
        var json = new CanonicalJson().object();
        json.member("schemaVersion", 2);
        json.member("mediaType", MediaType.IMAGE_MANIFEST);
        json.member("artifactType", MediaType.BUNDLE);
        json.name("config").object();
        descriptor(json, MediaType.BUNDLE_CONFIG, config, configSize);
        json.end();
        json.name("layers").array();
        for (Asset asset : assets) {
            json.object();
            descriptor(json, asset.mediaType(), asset.digest(), asset.size());
            json.name("annotations").object();
            if (asset.executable()) {
                json.member(EXECUTABLE, TRUE);
            }
            json.member(TITLE, asset.path().value());
            json.end().end();
        }
        return new Document(json.end().end().toString());
    }

    /// The annotation that names a layer's file (image-spec, "Pre-Defined Annotation Keys").
    public static final String TITLE = "org.opencontainers.image.title";

    /// The annotation of a layer whose file its owner may execute. Other layers do not have it, so their
    /// digests did not change when it was introduced.
    public static final String EXECUTABLE = "dev.sheaf.asset.executable";

    private static final String TRUE = "true";

    /// Returns whether these annotations of a layer mark its file as executable.
    public static boolean isExecutable(Map<String, String> annotations) {
        return TRUE.equals(annotations.get(EXECUTABLE));
    }

    private static void descriptor(CanonicalJson json, String mediaType, Digest digest, long size) {
        json.member("mediaType", mediaType);
        json.member("digest", digest.toString());
        json.member("size", size);
    }
}
