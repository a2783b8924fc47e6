package dev.sheaf.server.registry.gc;

import dev.sheaf.server.registry.content.BlobRecord;
import java.time.Instant;

/// What decides whether a repository's link to a blob is kept, as the collector reads it.
///
/// @param repository its name
record LinkState(Key key, String repository, BlobRecord blob, Instant lookAt, Instant leasedUntil) {
    /// Which link.
    record Key(long repositoryId, long blobId) {}
}
