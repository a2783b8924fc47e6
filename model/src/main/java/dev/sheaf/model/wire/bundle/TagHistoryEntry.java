package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A move of a tag (contract 3.6).
///
/// @param oldDigest null where the tag was not there before
/// @param newDigest null where the move removed it
/// @param oldVersion the version of that digest, if it is one
/// @param by the actor
public record TagHistoryEntry(
        UUID id,
        String name,
        @Nullable String oldVersion,
        @Nullable String oldDigest,
        @Nullable String newVersion,
        @Nullable String newDigest,
        Instant at,
        @Nullable String by) {}
