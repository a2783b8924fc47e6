package dev.sheaf.server.registry;

import dev.sheaf.model.Digest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The facts that decide whether a manifest is kept, as the collector reads them.
///
/// @param repository the name of its repository
/// @param need the kind of thing that needs it; null if nothing does
/// @param releasedAt when the last thing that needed it went away; null if that never happened
/// @param releasedBy the kind of that last thing; null if there was none
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
        @Nullable ReleaseReason releasedBy) {
    /// The kinds of things that need a manifest.
    public enum Need {
        VERSION,
        TAG,
        REVIEW,
        INDEX,
        SUBJECT
    }
}
