package dev.sheaf.server.bundle;

import org.jspecify.annotations.Nullable;

/// Advice against a version, or a whole bundle, that still works.
///
/// @param message why, in the publisher's words; empty where there are none
/// @param replacement what to use instead, in the publisher's words
public record Deprecation(String message, @Nullable String replacement) {
    static @Nullable Deprecation of(@Nullable String message, @Nullable String replacement) {
        return message == null ? null : new Deprecation(message, replacement);
    }
}
