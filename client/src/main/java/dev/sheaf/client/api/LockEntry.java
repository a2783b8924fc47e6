package dev.sheaf.client.api;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Version;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;

/// The version and content to which a reference is pinned, for a lock file.
///
/// @param manifest the digest of the OCI manifest, which determines every byte of the bundle
/// @param resolved when it was resolved, in whole seconds; unchanged while the content stays the same
/// @param assets sorted by path; a lock file does not contain their types, which are guessed
public record LockEntry(
        Reference reference,
        RegistryUrl registry,
        Version version,
        Digest manifest,
        Instant resolved,
        List<Asset> assets) {
    public LockEntry {
        resolved = resolved.truncatedTo(ChronoUnit.SECONDS);
        assets = assets.stream()
                .map(asset -> new Asset(asset.path(), AssetType.infer(asset.path()), asset.blob(), asset.executable()))
                .sorted(Comparator.comparing(asset -> asset.path().value()))
                .toList();
    }

    /// Returns the reference to exactly this content.
    public Reference pinned() {
        return Reference.parse(reference.repository() + "@" + manifest);
    }

    /// Returns whether both entries have the same content, ignoring the time.
    public boolean means(LockEntry other) {
        return version.equals(other.version)
                && manifest.equals(other.manifest)
                && withoutModes(assets).equals(withoutModes(other.assets));
    }

    /// Returns the assets without modes: the manifest determines them, and older lock files do not contain
    /// them.
    private static List<Asset> withoutModes(List<Asset> assets) {
        return assets.stream().map(asset -> asset.executable(null)).toList();
    }
}
