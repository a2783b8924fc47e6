package dev.sheaf.server.registry.gc;

import dev.sheaf.server.registry.content.BlobRecord;
import java.time.Instant;

/// The facts that decide whether a repository's link to a blob is kept, as the collector reads them.
///
/// @param repository the name of the repository
record LinkState(Key key, String repository, BlobRecord blob, Instant lookAt, Instant leasedUntil) {
    /// Identifies a link.
    record Key(long repositoryId, long blobId) {}
}
