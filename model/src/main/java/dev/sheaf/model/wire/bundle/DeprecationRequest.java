package dev.sheaf.model.wire.bundle;

import org.jspecify.annotations.Nullable;

/// The request to deprecate a version or a bundle (contract 3.6).
///
/// @param message the reason; null if no reason is given
/// @param replacement the version or bundle to use instead
public record DeprecationRequest(
        @Nullable String message, @Nullable String replacement) {}
