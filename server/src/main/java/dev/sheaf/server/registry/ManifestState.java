package dev.sheaf.server.registry;

import dev.sheaf.model.Digest;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What decides whether a manifest is kept, as the collector reads it.
///
/// @param repository its name
/// @param need what needs it; null: nothing
/// @param released what last stopped to need it
public record ManifestState(
        long id,
        String repository,
        Digest digest,
        long size,
        Instant lookAt,
        Instant leasedUntil,
        Instant createdAt,
        @Nullable Need need,
        Optional<Released> released) {
    /// What needs a manifest.
    public enum Need {
        VERSION,
        TAG,
        INDEX,
        SUBJECT
    }

    public record Released(Instant at, Release by) {}
}
