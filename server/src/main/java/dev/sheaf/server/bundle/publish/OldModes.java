package dev.sheaf.server.bundle.publish;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.oci.Packaging;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.registry.Descriptor;
import dev.sheaf.server.registry.content.ManifestDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Versions from before executable bits were kept (contract 4). If such a version is pushed again with its
/// modes, the manifest differs, but counts as the version's manifest: it is neither different content nor
/// another target for tags.
final class OldModes {
    private OldModes() {}

    /// Returns whether the version was stored before modes were kept, and equals the document otherwise.
    static boolean lacks(Tx tx, VersionRow stored, ManifestDocument document) {
        return !stored.digest().equals(document.digest())
                && areUnknown(tx, stored)
                && packedWithout(document).filter(stored.digest()::equals).isPresent();
    }

    /// Returns the version with that manifest, if it was stored before modes were kept.
    static Optional<VersionRow> find(Tx tx, Snapshot bundle, Digest packedWithout) {
        return VersionRows.find(tx, bundle.bundle().id(), packedWithout).filter(version -> areUnknown(tx, version));
    }

    private static boolean areUnknown(Tx tx, VersionRow version) {
        return AssetRows.list(tx, version.id()).stream().allMatch(asset -> asset.executable() == null);
    }

    /// Returns the digest of the same manifest without modes. Empty if it has no modes, or is not byte for byte
    /// what the registry and its clients pack.
    static Optional<Digest> packedWithout(ManifestDocument document) {
        if (document.layers().stream().noneMatch(layer -> Packaging.isExecutable(layer.annotations()))) {
            return Optional.empty();
        }
        return document.config()
                .filter(config -> config.mediaType().equals(MediaType.BUNDLE_CONFIG))
                .filter(config -> isPacked(document, config))
                .map(config -> pack(document, config, false).digest());
    }

    private static boolean isPacked(ManifestDocument document, Descriptor config) {
        try {
            return Arrays.equals(pack(document, config, true).bytes(), document.bytes());
        } catch (ProblemException e) {
            return false; // a title is not a valid path
        }
    }

    private static Packaging.Document pack(ManifestDocument document, Descriptor config, boolean withModes) {
        List<Packaging.Asset> assets = new ArrayList<>();
        for (var layer : document.layers()) {
            var path = new LogicalPath(layer.annotations().getOrDefault(Packaging.TITLE, ""));
            boolean executable = withModes && Packaging.isExecutable(layer.annotations());
            assets.add(new Packaging.Asset(
                    path, AssetType.OTHER, layer.digest(), layer.size(), layer.mediaType(), executable));
        }
        return Packaging.manifest(config.digest(), config.size(), assets);
    }

    /// Returns the notice for the publisher of such a version.
    static Notice notice(Snapshot bundle, VersionRow version) {
        return new Notice(
                "modes-not-kept",
                "version " + version.version() + " of " + bundle.name() + " was published before executable bits"
                        + " were kept, and stays without them; publish a new version that has them");
    }
}
