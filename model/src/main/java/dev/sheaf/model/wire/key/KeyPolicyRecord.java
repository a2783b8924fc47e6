package dev.sheaf.model.wire.key;

import org.jspecify.annotations.Nullable;

/// How long the API keys of an organization are valid; ISO 8601 durations such as `P90D`.
///
/// @param defaultExpiry of keys created without one; null: the longest allowed
/// @param maxExpiry the longest allowed; null: unlimited
public record KeyPolicyRecord(
        @Nullable String defaultExpiry, @Nullable String maxExpiry) {}
