package dev.sheaf.server.registry;

import dev.sheaf.model.Digest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What decides whether a manifest is kept, as the collector reads it.
///
/// @param repository its name
/// @param need what needs it; null: nothing
/// @param releasedAt when something last stopped to need it; null: nothing did yet
/// @param releasedBy what that was
public record ManifestState(
        long id,
        String repository,
        Digest digest,
        long size,
        Instant lookAt,
        Instant leasedUntil,
        Instant createdAt,
        @Nullable Need need,
        @Nullable Instant releasedAt,
        @Nullable Release releasedBy) {
    /// What needs a manifest.
    public enum Need {
        VERSION,
        TAG,
        INDEX,
        SUBJECT
    }
}
