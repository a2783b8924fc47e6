package dev.sheaf.server.registry.tag;

import dev.sheaf.model.Digest;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// One move of a tag.
///
/// @param seq grows with every move in the database
/// @param oldDigest where it pointed before; null if it did not exist
/// @param newDigest where it pointed afterwards; null if it was removed
/// @param movedBy the actor, see `Caller`
public record TagMove(
        long seq,
        UUID id,
        String name,
        @Nullable Digest oldDigest,
        @Nullable Digest newDigest,
        Instant movedAt,
        @Nullable String movedBy) {}
