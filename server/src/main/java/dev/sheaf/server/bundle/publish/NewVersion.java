package dev.sheaf.server.bundle.publish;

import dev.sheaf.model.Digest;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.archive.PackedFile;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.oci.OciPackaging;
import dev.sheaf.model.passport.Passport;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.BundleProfile;
import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.bundle.check.ContentChecks;
import dev.sheaf.server.registry.Descriptor;
import dev.sheaf.server.registry.content.ManifestDocument;
import dev.sheaf.server.registry.content.StagedBlob;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything that the publish transaction needs, whether it came as JSON, from working assets, or as an OCI
/// manifest.
///
/// @param visibility the visibility of a new bundle; null for private
/// @param blobs content that is stored but not linked yet; empty if the repository holds it already
/// @param pushedBy who pushed it, if somebody else publishes it by an approval; null for who publishes it
public record NewVersion(
        RepositoryName name,
        @Nullable Visibility visibility,
        BundleProfile description,
        Content content,
        List<Tag> tags,
        List<StagedBlob> blobs,
        Notes notes,
        @Nullable String pushedBy) {
    /// Information about the version that is not part of its content.
    ///
    /// @param message the publisher's message
    /// @param packed the files in its only layer if that layer is an archive
    /// @param passport null if the files are read later
    /// @param compared what was read of the version with which the rules of the policy compare it; null if
    /// it was not asked for
    public record Notes(
            @Nullable String message,
            List<ContentChecks.Warning> warnings,
            List<PackedFile> packed,
            @Nullable Passport passport,
            AutomaticApproval.@Nullable Read compared) {
        public Notes {
            warnings = ContentChecks.ofVersion(warnings);
            packed = List.copyOf(packed);
        }

        public Notes(
                @Nullable String message,
                List<ContentChecks.Warning> warnings,
                List<PackedFile> packed,
                @Nullable Passport passport) {
            this(message, warnings, packed, passport, null);
        }

        public Notes(@Nullable String message, List<ContentChecks.Warning> warnings) {
            this(message, warnings, List.of(), null);
        }

        Notes with(Passport known, AutomaticApproval.Read other) {
            return new Notes(message, warnings, packed, known, other);
        }

        /// Returns what is known of the version's risk.
        VersionRisk risk() {
            return VersionRisk.of(
                    passport, warnings.stream().map(ContentChecks.Warning::code).toList());
        }

        /// Returns the risk if the files were read; null otherwise.
        @Nullable
        VersionRisk read() {
            return passport == null ? null : risk();
        }
    }

    /// The version and its content.
    ///
    /// @param requires other bundles that it needs; they are part of the manifest's config
    public record Content(Version version, List<Asset> assets, ManifestDocument manifest, List<Requirement> requires) {
        public Content {
            assets = List.copyOf(assets);
            requires = Requirement.sorted(requires);
        }

        /// Packs the manifest of a version.
        public static Content packed(
                Version version, List<Asset> assets, List<Requirement> requires, OciPackaging packaging) {
            var config = packaging.config();
            var layers = assets.stream()
                    .sorted(Comparator.comparing(Asset::path))
                    .map(asset ->
                            new Descriptor(asset.mediaType(), asset.digest(), asset.size(), annotations(asset), false))
                    .toList();
            var outline = new ManifestDocument.Outline(
                    MediaType.IMAGE_MANIFEST,
                    MediaType.BUNDLE,
                    null,
                    new Descriptor(MediaType.BUNDLE_CONFIG, config.digest(), config.bytes().length, Map.of(), false),
                    layers,
                    List.of(),
                    Map.of());
            return new Content(
                    version,
                    assets,
                    ManifestDocument.of(
                            Digest.Algorithm.SHA256, packaging.manifest().bytes(), outline),
                    requires);
        }

        private static Map<String, String> annotations(Asset asset) {
            String title = asset.path().value();
            return Boolean.TRUE.equals(asset.executable())
                    ? Map.of(OciPackaging.TITLE, title, OciPackaging.EXECUTABLE, "true")
                    : Map.of(OciPackaging.TITLE, title);
        }

        /// Returns whether it is packed as a bundle, rather than as something else that OCI clients push.
        boolean isBundle() {
            return manifest.config()
                    .filter(config -> config.mediaType().equals(MediaType.BUNDLE_CONFIG))
                    .isPresent();
        }

        /// Returns the sizes of the blobs that the manifest names, by digest.
        Map<Digest, Long> blobs() {
            var sizes = new HashMap<Digest, Long>();
            manifest.config().ifPresent(config -> sizes.put(config.digest(), config.size()));
            manifest.layers().forEach(layer -> sizes.put(layer.digest(), layer.size()));
            return sizes;
        }

        long size() {
            return assets.stream().mapToLong(Asset::size).sum();
        }
    }

    /// Returns the same with what its files can touch, and those of the version with which it is compared.
    NewVersion with(Passport passport, AutomaticApproval.Read compared) {
        return new NewVersion(
                name, visibility, description, content, tags, blobs, notes.with(passport, compared), pushedBy);
    }

    public NewVersion {
        tags = List.copyOf(tags);
        blobs = List.copyOf(blobs);
    }

    public NewVersion(
            RepositoryName name,
            @Nullable Visibility visibility,
            BundleProfile description,
            Content content,
            List<Tag> tags,
            List<StagedBlob> blobs,
            Notes notes) {
        this(name, visibility, description, content, tags, blobs, notes, null);
    }
}
