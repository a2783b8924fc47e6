package dev.sheaf.server.bundle;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RecallSeverity;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.BlobAccess;
import dev.sheaf.server.registry.content.BlobContent;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.Blobs;
import java.util.List;

/// Reads the bytes of assets from the registry's blobs, for readers: not those that only recalled versions have.
public final class AssetBytes {
    private final Blobs blobs;

    public AssetBytes(Blobs blobs) {
        this.blobs = blobs;
    }

    /// Returns the whole content of an asset that the repository holds; not to be modified.
    ///
    /// @throws ProblemException those of [#open]
    public byte[] bytes(Repository repository, StoredAsset asset) {
        return open(repository, asset.digest(), asset.size()).bytes();
    }

    /// Opens the content of an asset that the repository holds.
    ///
    /// @param size the stated size of the asset, by which limits and memory were counted
    /// @throws ProblemException blob-unknown if its bytes are damaged, missing or of another size;
    /// version-recalled if only recalled versions have them
    public BlobContent open(Repository repository, Digest digest, long size) {
        return blobs.open(held(repository, digest, size));
    }

    /// Checks, before anything is read, that all assets exist with their stated sizes.
    ///
    /// @throws ProblemException blob-unknown if one does not
    public void requireHeld(Repository repository, List<StoredAsset> assets) {
        assets.forEach(asset -> held(repository, asset.digest(), asset.size()));
    }

    private BlobRecord held(Repository repository, Digest digest, long size) {
        var blob = blobs.find(repository, digest)
                .filter(found -> found.size() == size)
                .orElseThrow(() -> new Problem.BlobUnknown(digest).raise());
        if (blobs.access(repository, blob) == BlobAccess.RECALLED) {
            throw new Problem.VersionRecalled(
                            repository.name(),
                            digest.toString(),
                            RecallSeverity.HIGH,
                            "only recalled versions have this content",
                            null,
                            null)
                    .raise();
        }
        return blob;
    }
}
