package dev.sheaf.model.wire.key;

import org.jspecify.annotations.Nullable;

/// The lifetimes of an organization's API keys, as ISO 8601 durations such as `P90D`.
///
/// @param defaultExpiry the lifetime of keys created without an expiry; null means `maxExpiry`
/// @param maxExpiry the longest allowed lifetime; null means no limit
public record KeyPolicyRecord(
        @Nullable String defaultExpiry, @Nullable String maxExpiry) {}
