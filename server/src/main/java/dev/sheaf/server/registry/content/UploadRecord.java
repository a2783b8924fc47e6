package dev.sheaf.server.registry.content;

import dev.sheaf.engine.blob.DraftId;
import dev.sheaf.model.Digest;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An upload in progress.
///
/// @param repositoryId null if its content belongs to no repository yet
/// @param organizationId whose quota its bytes count against; null if an older node began it, which did not
/// count them
/// @param principal the actor who began it; nobody else can see it
/// @param algorithm the algorithm that hashes the bytes as they arrive
/// @param written bytes that are durable and acknowledged
/// @param promise what its content will be, if it belongs to no repository yet: size, digest and path; otherwise null
public record UploadRecord(
        UUID id,
        @Nullable Long repositoryId,
        @Nullable UUID organizationId,
        String principal,
        Digest.Algorithm algorithm,
        DraftId draft,
        long written,
        Instant expiresAt,
        @Nullable String promise) {
    /// Returns the upload after more bytes.
    public UploadRecord at(DraftId draft, long written, Instant expiresAt) {
        return new UploadRecord(
                id, repositoryId, organizationId, principal, algorithm, draft, written, expiresAt, promise);
    }
}
