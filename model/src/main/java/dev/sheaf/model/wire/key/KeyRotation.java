package dev.sheaf.model.wire.key;

import org.jspecify.annotations.Nullable;

/// The request to rotate a key (contract 5.1).
///
/// @param overlap how long the old key stays valid: an ISO 8601 duration from `PT0S` to `P30D`; null means one
/// day
public record KeyRotation(@Nullable String overlap) {}
