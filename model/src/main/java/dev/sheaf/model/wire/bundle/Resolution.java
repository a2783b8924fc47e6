package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The response to resolve (contract 3.1): the version that a selector means, and the references of its
/// manifest.
///
/// @param version always the concrete version
/// @param sourceType `console` or `registry`
/// @param state `published` or `yanked`
/// @param ociRef `host[:port]/namespace/slug:tag`
/// @param ociPinnedRef `host[:port]/namespace/slug@digest`
/// @param resolvedBy `default`, `tag`, `version`, `range` or `digest`
/// @param tags the tags that point to this version, sorted
/// @param closure all bundles that the version needs, without itself, those that it requires itself first; null if
/// it was not asked for
/// @param skipped optional requirements that could not be met; null if the closure was not asked for
public record Resolution(
        UUID bundleId,
        UUID versionId,
        String namespace,
        String slug,
        String ref,
        String version,
        String name,
        @Nullable String description,
        String sourceType,
        String state,
        String visibility,
        String ociRef,
        String ociDigest,
        String ociPinnedRef,
        Layers manifest,
        long sizeBytes,
        String requested,
        String resolvedBy,
        List<String> tags,
        Instant publishedAt,
        @Nullable String publishedBy,
        @Nullable Yank yank,
        @Nullable Deprecation deprecation,
        boolean isSigned,
        @Nullable String signerType,
        @Nullable Instant signedAt,
        @Nullable List<ResolvedRequirement> closure,
        @Nullable List<SkippedRequirement> skipped) {
    /// Returns a copy with all bundles that the version needs.
    public Resolution with(List<ResolvedRequirement> needed, List<SkippedRequirement> unmet) {
        return new Resolution(
                bundleId,
                versionId,
                namespace,
                slug,
                ref,
                version,
                name,
                description,
                sourceType,
                state,
                visibility,
                ociRef,
                ociDigest,
                ociPinnedRef,
                manifest,
                sizeBytes,
                requested,
                resolvedBy,
                tags,
                publishedAt,
                publishedBy,
                yank,
                deprecation,
                isSigned,
                signerType,
                signedAt,
                needed,
                unmet);
    }

    /// `layers` are sorted by path.
    public record Layers(List<Layer> layers) {}

    /// @param reasonCode a value of [dev.sheaf.model.YankReason]
    public record Yank(
            Instant at,
            String by,
            String reason,
            @Nullable String reasonCode,
            @Nullable String replacement) {}

    /// Why a version should not be used any more, and what to use instead.
    public record Deprecation(String message, @Nullable String replacement) {}
}
