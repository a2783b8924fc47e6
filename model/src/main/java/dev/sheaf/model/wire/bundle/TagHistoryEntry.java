package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A move of a tag (contract 3.6).
///
/// @param oldDigest null if the tag did not exist before
/// @param newDigest null if the tag was removed
/// @param oldVersion the version with the old digest; null if the manifest was not a version
/// @param by the person or key that moved the tag, or that yanked its version
/// @param cause `yank` if the yank of its version moved the tag; null if somebody moved it
/// @param newVersionYanked whether the new version is yanked now, so that no tag can point to it
public record TagHistoryEntry(
        UUID id,
        String name,
        @Nullable String oldVersion,
        @Nullable String oldDigest,
        @Nullable String newVersion,
        @Nullable String newDigest,
        Instant at,
        @Nullable String by,
        @Nullable String cause,
        boolean newVersionYanked) {}
