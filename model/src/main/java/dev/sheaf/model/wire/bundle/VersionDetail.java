package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A version with its content (contract 3.6): the members of [VersionSummary], then the rest.
///
/// @param warnings findings of the content checks, after a push preceded by notes for its publisher; they never
/// block a publish
/// @param yank repeats the flat members and adds the others
/// @param message of the publisher about this version
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
        @Nullable String message) {
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
                message);
    }

    /// `assets` are sorted by path.
    public record Manifest(String namespace, String bundleSlug, String version, List<Layer> assets) {}

    /// A signature of, or statement about, the version: a referrer of its manifest.
    public record Attestation(String artifactType, String digest) {}

    /// @param logicalPath the asset that it is about; empty for the whole version
    public record Warning(String logicalPath, String code, String detail) {}
}
