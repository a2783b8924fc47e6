package dev.sheaf.model.wire.bundle;

import org.jspecify.annotations.Nullable;

/// The request to deprecate a version or a bundle (contract 3.6).
///
/// @param message why; null: no reason given
/// @param replacement what to use instead
public record DeprecationRequest(
        @Nullable String message, @Nullable String replacement) {}
