package dev.sheaf.server.bundle;

import dev.sheaf.model.Digest;
import dev.sheaf.model.RecallSeverity;
import dev.sheaf.model.Version;
import dev.sheaf.model.YankReason;
import dev.sheaf.server.registry.content.StoredManifest;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A published version as stored. Its content never changes; its state and deprecation may.
///
/// @param digest the digest of its OCI manifest
/// @param size the size of all its assets, in bytes
/// @param pluginFiles whether its archive for programs contains derived manifests. False for versions of releases
/// before
/// 0.3, whose archives stay as they are
/// @param recallYanked whether its recall yanked it, so that the end of the recall ends the yank too
/// @param reviewId the review that approved it; null if it was not reviewed
public record VersionRow(
        UUID id,
        UUID bundleId,
        Version version,
        long manifestId,
        Digest digest,
        State state,
        long size,
        Instant publishedAt,
        @Nullable String publishedBy,
        @Nullable Instant yankedAt,
        @Nullable String yankedBy,
        @Nullable String yankReason,
        @Nullable YankReason yankReasonCode,
        @Nullable String yankReplacement,
        @Nullable String deprecationMessage,
        @Nullable String deprecationReplacement,
        boolean pluginFiles,
        @Nullable Instant recalledAt,
        @Nullable String recalledBy,
        @Nullable RecallSeverity recallSeverity,
        @Nullable String recallReason,
        @Nullable String recallAdvisory,
        @Nullable String recallReplacement,
        boolean recallYanked,
        @Nullable UUID reviewId) {
    public enum State {
        PUBLISHED,
        /// Withdrawn: its number and digest still resolve, tags and ranges do not.
        YANKED;

        /// Returns the name in JSON.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static VersionRow published(
            UUID id, UUID bundleId, Version version, StoredManifest manifest, long size, Instant at, String by) {
        return new VersionRow(
                id,
                bundleId,
                version,
                manifest.id(),
                manifest.digest(),
                State.PUBLISHED,
                size,
                at,
                by,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                true,
                null,
                null,
                null,
                null,
                null,
                null,
                false,
                null);
    }

    public StoredManifest manifest() {
        return new StoredManifest(manifestId, digest);
    }

    public boolean isYanked() {
        return state == State.YANKED;
    }

    /// Returns why its content is taken from readers; null if it is not recalled. A recalled version is yanked too.
    public @Nullable Recall recall() {
        return recalledAt == null || recallSeverity == null
                ? null
                : new Recall(
                        recallSeverity,
                        Objects.requireNonNullElse(recallReason, ""),
                        recallAdvisory,
                        recallReplacement);
    }

    public @Nullable DeprecationNotice deprecation() {
        return DeprecationNotice.of(deprecationMessage, deprecationReplacement);
    }
}
