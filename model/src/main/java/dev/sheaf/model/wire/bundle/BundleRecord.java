package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A bundle (contract 3.3, BundleDetail). In lists, `readmeContent` and all later members are absent.
public record BundleRecord(
        UUID id,
        String namespace,
        String slug,
        String ref,
        String name,
        @Nullable String description,
        String visibility,
        String sourceType,
        @Nullable String readmeFormat,
        Instant createdAt,
        @Nullable Instant updatedAt,
        @Nullable String readmeContent,
        @Nullable String latestVersion,
        @Nullable Integer versionCount,
        @Nullable Integer assetCount,
        @Nullable String license,
        @Nullable String repositoryUrl,
        @Nullable String homepageUrl,
        @Nullable List<String> keywords,
        Resolution.@Nullable Deprecation deprecation) {}
