package dev.sheaf.server.registry;

import dev.sheaf.model.Digest;
import dev.sheaf.server.blob.DraftId;
import java.time.Instant;
import java.util.UUID;

/// An upload in progress.
///
/// @param principal the actor who began it; nobody else can see it
/// @param algorithm the one that the bytes are hashed with on the way
/// @param written bytes that are durable and acknowledged
record UploadRecord(
        UUID id,
        long repositoryId,
        String principal,
        Digest.Algorithm algorithm,
        DraftId draft,
        long written,
        Instant expiresAt) {
    /// The same upload, further on.
    UploadRecord at(DraftId draft, long written, Instant expiresAt) {
        return new UploadRecord(id, repositoryId, principal, algorithm, draft, written, expiresAt);
    }
}
