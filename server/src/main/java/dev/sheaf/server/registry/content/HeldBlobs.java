package dev.sheaf.server.registry.content;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.db.pipeline.PipelineAnswer;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/// Staged blobs that are about to be linked, and the rows that exist already for some of them. Nobody can delete
/// those rows before the transaction ends.
public record HeldBlobs(Collection<StagedBlob> staged, PipelineAnswer<List<BlobRows.Row>> rows) {
    public HeldBlobs {
        staged = List.copyOf(staged);
    }

    /// Asks for the rows.
    public static HeldBlobs of(Tx tx, Collection<StagedBlob> staged) {
        return new HeldBlobs(staged, BlobRows.holdSoon(tx, byDigest(staged).keySet()));
    }

    /// Returns the blobs in the order in which transactions lock their rows. Equal content counts once.
    static TreeMap<String, StagedBlob> byDigest(Collection<StagedBlob> staged) {
        var byDigest = new TreeMap<String, StagedBlob>();
        staged.forEach(blob -> byDigest.putIfAbsent(blob.digest().toString(), blob));
        return byDigest;
    }
}
