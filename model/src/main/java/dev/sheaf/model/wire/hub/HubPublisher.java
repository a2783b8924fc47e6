package dev.sheaf.model.wire.hub;

import org.jspecify.annotations.Nullable;

/// The publisher of a namespace (contract 3.8).
///
/// @param trustTier `unverified`, `community` or `verified`
public record HubPublisher(
        String handle,
        String displayName,
        String trustTier,
        @Nullable String avatarUrl) {}
