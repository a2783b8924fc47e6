package dev.sheaf.server.bundle;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.BlobContent;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.Blobs;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// The bytes of assets, out of the registry's blobs.
public final class AssetBytes {
    private final Blobs blobs;

    public AssetBytes(Blobs blobs) {
        this.blobs = blobs;
    }

    /// The whole content of an asset that the repository holds; not to be changed.
    ///
    /// @throws ProblemException as [#open]
    public byte[] bytes(Repository repository, StoredAsset asset) {
        return open(repository, asset.digest(), asset.size()).bytes();
    }

    /// The content of an asset that the repository holds, to be read.
    ///
    /// @param size that the asset is said to have, by which limits and memory were counted
    /// @throws ProblemException blob-unknown where its bytes are damaged or gone, or are more or less than that
    public BlobContent open(Repository repository, Digest digest, long size) {
        return blobs.open(held(repository, digest, size));
    }

    /// Looks, before anything is read, that all of these are there and as long as they are said to be.
    ///
    /// @throws ProblemException blob-unknown where one is not
    public void requireHeld(Repository repository, List<StoredAsset> assets) {
        assets.forEach(asset -> held(repository, asset.digest(), asset.size()));
    }

    private BlobRecord held(Repository repository, Digest digest, long size) {
        return blobs.find(repository, digest)
                .filter(blob -> blob.size() == size)
                .orElseThrow(() -> new Problem.BlobUnknown(digest).raise());
    }

    /// The text that these bytes are, or empty where they are not UTF-8.
    public static Optional<String> text(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
