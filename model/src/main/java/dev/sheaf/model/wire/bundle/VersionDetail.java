package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A version with its content (contract 3.6): the members of [VersionSummary], then the rest.
///
/// @param warnings findings of the content checks, which never block a publish; after a push, notes for its
/// publisher come first
/// @param yank repeats the three members above and adds the rest
/// @param message the publisher's message about this version
/// @param recall null if the version is not recalled; a recalled one is `yanked`, and has no assets here
/// @param requires other bundles that the version needs, by name; null if there are none
/// @param heldAt when it was pushed if it waited for approval, and so was published later; null if it did not wait
/// @param approvedBy who approved it, in that order; null if nobody did
public record VersionDetail(
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
        Instant createdAt,
        Manifest manifest,
        List<String> tags,
        long sizeBytes,
        Resolution.@Nullable Deprecation deprecation,
        List<Attestation> attestations,
        @Nullable List<Warning> warnings,
        Resolution.@Nullable Yank yank,
        @Nullable String message,
        @Nullable VersionRecall recall,
        @Nullable List<RequiredBundle> requires,
        @Nullable Instant heldAt,
        @Nullable List<VersionApproval> approvedBy) {
    /// Returns a copy with these warnings.
    public VersionDetail with(List<Warning> others) {
        return new VersionDetail(
                id,
                bundleId,
                version,
                state,
                ociRef,
                ociDigest,
                publishedBy,
                yankedBy,
                yankedAt,
                yankReason,
                createdAt,
                manifest,
                tags,
                sizeBytes,
                deprecation,
                attestations,
                others,
                yank,
                message,
                recall,
                requires,
                heldAt,
                approvedBy);
    }

    /// `assets` are sorted by path.
    public record Manifest(String namespace, String bundleSlug, String version, List<Layer> assets) {}

    /// A signature of the version or a statement about it: a referrer of its manifest.
    public record Attestation(String artifactType, String digest) {}

    /// @param logicalPath the asset's path; empty if the warning is about the whole version
    public record Warning(String logicalPath, String code, String detail) {}
}
