package dev.sheaf.model.wire.bundle;

import org.jspecify.annotations.Nullable;

/// The body of deprecate (contract 3.6), of a version or a bundle.
///
/// @param message why; null: no more than that it is so
/// @param replacement what to use instead
public record DeprecationRequest(
        @Nullable String message, @Nullable String replacement) {}
