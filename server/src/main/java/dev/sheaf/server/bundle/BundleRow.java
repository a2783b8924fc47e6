package dev.sheaf.server.bundle;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A bundle as it is stored; who owns and sees it stands on its repository.
///
/// @param name what people call it; the slug is the repository's
public record BundleRow(
        UUID id,
        String name,
        @Nullable String description,
        String sourceType,
        @Nullable String readmeContent,
        @Nullable String readmeFormat,
        Instant createdAt,
        @Nullable Instant updatedAt) {}
