package dev.sheaf.server.registry.content;

import java.util.List;

/// Undamaged blobs that the transaction has linked to its repository, and so holds.
public record LinkedBlobs(List<BlobRecord> blobs) {
    public static final LinkedBlobs NONE = new LinkedBlobs(List.of());

    public LinkedBlobs {
        blobs = List.copyOf(blobs);
    }

    LinkedBlobs(BlobLinks.Rows rows) {
        this(rows.sorted());
    }
}
