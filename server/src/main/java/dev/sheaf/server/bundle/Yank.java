package dev.sheaf.server.bundle;

import dev.sheaf.model.YankReason;
import org.jspecify.annotations.Nullable;

/// Why a version is taken back.
///
/// @param replacement what to use instead, in the publisher's words
public record Yank(
        @Nullable String reason,
        @Nullable YankReason code,
        @Nullable String replacement) {}
