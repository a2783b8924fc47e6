package dev.sheaf.server.bundle;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Version;
import dev.sheaf.server.registry.content.StoredManifest;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A published version as it is stored. What it contains never changes; its yank and deprecation may.
///
/// @param digest of its OCI manifest
/// @param size of all its assets, in bytes
public record VersionRow(
        UUID id,
        UUID bundleId,
        Version version,
        long manifestId,
        Digest digest,
        String state,
        long size,
        Instant publishedAt,
        @Nullable String publishedBy,
        @Nullable Instant yankedAt,
        @Nullable String yankedBy,
        @Nullable String yankReason,
        @Nullable String yankReasonCode,
        @Nullable String yankReplacement,
        @Nullable String deprecationMessage,
        @Nullable String deprecationReplacement) {
    static final String YANKED = "yanked";

    static VersionRow published(
            UUID id, UUID bundleId, Version version, StoredManifest manifest, long size, Instant at, String by) {
        return new VersionRow(
                id,
                bundleId,
                version,
                manifest.id(),
                manifest.digest(),
                "published",
                size,
                at,
                by,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    public StoredManifest manifest() {
        return new StoredManifest(manifestId, digest);
    }

    public boolean isYanked() {
        return state.equals(YANKED);
    }

    @Nullable
    public Deprecation deprecation() {
        return deprecationMessage == null ? null : new Deprecation(deprecationMessage, deprecationReplacement);
    }
}
