package dev.sheaf.client.api;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Version;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;

/// What one reference meant, for a lock file.
///
/// @param manifest digest of the OCI manifest, which names every byte of the bundle
/// @param resolved when that was found out, to the second; it stays as long as nothing changes
/// @param assets sorted by path; a lock file does not keep their types, which are guessed
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

    /// The reference that means this content and no other.
    public Reference pinned() {
        return Reference.parse(reference.repository() + "@" + manifest);
    }

    /// Whether both mean the same content, whenever that was found out.
    public boolean means(LockEntry other) {
        return version.equals(other.version)
                && manifest.equals(other.manifest)
                && withoutModes(assets).equals(withoutModes(other.assets));
    }

    /// The modes follow from the manifest, and older lock files have none.
    private static List<Asset> withoutModes(List<Asset> assets) {
        return assets.stream().map(asset -> asset.executable(null)).toList();
    }
}
