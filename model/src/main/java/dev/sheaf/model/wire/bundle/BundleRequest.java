package dev.sheaf.model.wire.bundle;

import org.jspecify.annotations.Nullable;

/// A bundle to be made without a version (contract 3.3).
///
/// @param visibility private where null
public record BundleRequest(
        String slug,
        String name,
        @Nullable String description,
        @Nullable String visibility) {}
