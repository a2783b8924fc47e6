package dev.sheaf.server.registry.content;

import dev.sheaf.model.Digest;
import org.jspecify.annotations.Nullable;

/// A manifest that a repository holds.
///
/// @param digest the one under which it was pushed
/// @param size in bytes
public record ManifestRecord(
        long id,
        Digest digest,
        String mediaType,
        @Nullable String artifactType,
        @Nullable Digest subject,
        long size) {}
