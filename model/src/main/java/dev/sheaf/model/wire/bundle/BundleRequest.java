package dev.sheaf.model.wire.bundle;

import org.jspecify.annotations.Nullable;

/// The request to create a bundle without a version (contract 3.3).
///
/// @param visibility null means private
public record BundleRequest(
        String slug,
        String name,
        @Nullable String description,
        @Nullable String visibility) {}
