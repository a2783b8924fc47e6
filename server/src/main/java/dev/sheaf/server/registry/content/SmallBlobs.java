package dev.sheaf.server.registry.content;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/// Blobs that are so small that rows contain their bytes, for decisions within a transaction.
public final class SmallBlobs {
    private SmallBlobs() {}

    /// @param digests the digests of blobs that the transaction's repository holds
    /// @param staged blobs that need not be read, because the transaction has just stored them
    public static Map<Digest, byte[]> of(Tx tx, Collection<Digest> digests, Collection<StagedBlob> staged) {
        var known = staged.stream()
                .filter(blob -> blob instanceof StagedBlob.Inline && digests.contains(blob.digest()))
                .collect(Collectors.toMap(
                        StagedBlob::digest, blob -> ((StagedBlob.Inline) blob).bytes(), (one, same) -> one));
        var others =
                digests.stream().filter(digest -> !known.containsKey(digest)).toList();
        known.putAll(BlobRows.contents(tx, others));
        return known;
    }
}
