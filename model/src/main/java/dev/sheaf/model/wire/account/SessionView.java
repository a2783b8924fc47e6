package dev.sheaf.model.wire.account;

import java.time.Instant;
import java.util.UUID;

/// A session as its owner sees it.
///
/// @param method `password` or `oidc`
/// @param device what the program that signed in called itself; empty: it did not
/// @param address from where it was used last
/// @param lastUsedAt when it was refreshed last
/// @param expiresAt when it ends if it is not used before
/// @param current whether it is the one that asks
public record SessionView(
        UUID id,
        String method,
        String device,
        String address,
        Instant createdAt,
        Instant lastUsedAt,
        Instant expiresAt,
        boolean current) {}
