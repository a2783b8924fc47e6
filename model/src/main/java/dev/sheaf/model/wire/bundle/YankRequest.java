package dev.sheaf.model.wire.bundle;

import org.jspecify.annotations.Nullable;

/// The body of yank (contract 3.6).
///
/// @param reasonCode a word of [dev.sheaf.model.YankReason]
/// @param replacement what to use instead
public record YankRequest(
        @Nullable String reason,
        @Nullable String reasonCode,
        @Nullable String replacement) {}
