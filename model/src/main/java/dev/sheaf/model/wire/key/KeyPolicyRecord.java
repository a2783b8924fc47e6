package dev.sheaf.model.wire.key;

import org.jspecify.annotations.Nullable;

/// For how long the API keys of an organization work; ISO 8601 durations such as `P90D`.
///
/// @param defaultExpiry of keys for which nobody says; null: as long as is allowed
/// @param maxExpiry the most that is allowed; null: for ever
public record KeyPolicyRecord(
        @Nullable String defaultExpiry, @Nullable String maxExpiry) {}
