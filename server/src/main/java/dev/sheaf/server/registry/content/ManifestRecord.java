package dev.sheaf.server.registry.content;

import dev.sheaf.model.Digest;
import org.jspecify.annotations.Nullable;

/// A manifest that a repository holds.
///
/// @param digest the one under which it was pushed
/// @param size in bytes
/// @param recalledById the manifest of the recalled version that it belongs to; null if it is not recalled
/// @param held whether only writers and reviewers may read it, because no approved version has it
public record ManifestRecord(
        long id,
        Digest digest,
        String mediaType,
        @Nullable String artifactType,
        @Nullable Digest subject,
        long size,
        @Nullable Long recalledById,
        boolean held) {
    /// Returns whether only admins of the organization may read it.
    public boolean isRecalled() {
        return recalledById != null;
    }
}
