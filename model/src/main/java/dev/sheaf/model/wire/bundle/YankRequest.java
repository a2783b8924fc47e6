package dev.sheaf.model.wire.bundle;

import org.jspecify.annotations.Nullable;

/// The request to yank a version (contract 3.6).
///
/// @param reasonCode a value of [dev.sheaf.model.YankReason]
/// @param replacement the version or bundle to use instead
public record YankRequest(
        @Nullable String reason,
        @Nullable String reasonCode,
        @Nullable String replacement) {}
