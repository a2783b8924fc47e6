package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A version in a list (contract 3.6).
///
/// @param deprecation the deprecation of this version, not of the whole bundle
/// @param message the beginning of the publisher's message about this version, at most 300 characters
/// @param findings the number of findings, see [dev.sheaf.model.wire.hub.HubBundle]; null from an older registry
/// @param worstFinding the severity of the worst: `medium` or `high`; null if there is none
/// @param recall null if the version is not recalled; a recalled one is `yanked`
/// @param readExtent how much was read for the findings: `whole`, `part`, or `none` yet; null from an older registry
/// @param heldAt as in [VersionDetail], like `approvedBy`
public record VersionSummary(
        UUID id,
        UUID bundleId,
        String version,
        String state,
        @Nullable String ociRef,
        @Nullable String ociDigest,
        @Nullable String publishedBy,
        @Nullable String yankedBy,
        @Nullable Instant yankedAt,
        @Nullable String yankReason,
        Resolution.@Nullable Deprecation deprecation,
        Instant createdAt,
        @Nullable String message,
        @Nullable Integer findings,
        @Nullable String worstFinding,
        @Nullable String readExtent,
        @Nullable VersionRecall recall,
        @Nullable Instant heldAt,
        @Nullable List<VersionApproval> approvedBy) {}
