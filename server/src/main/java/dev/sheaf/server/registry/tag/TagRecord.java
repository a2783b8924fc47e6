package dev.sheaf.server.registry.tag;

import dev.sheaf.model.Digest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A tag and what it points to.
///
/// @param digest the digest of the manifest
/// @param updatedBy the actor who set it, see `Caller`
public record TagRecord(
        String name,
        long manifestId,
        Digest digest,
        Tags.Kind kind,
        boolean isProtected,
        Instant updatedAt,
        @Nullable String updatedBy) {}
