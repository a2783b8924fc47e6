package dev.sheaf.model.wire.account;

import java.time.Instant;
import java.util.UUID;

/// A session as its owner sees it.
///
/// @param method `password` or `oidc`
/// @param device the name that the program sent at sign-in; empty if it sent no name
/// @param address the client's address when the session was last used
/// @param lastUsedAt when it was last refreshed
/// @param expiresAt when it expires if it is not used until then
/// @param current whether it is the session of this request
public record SessionView(
        UUID id,
        String method,
        String device,
        String address,
        Instant createdAt,
        Instant lastUsedAt,
        Instant expiresAt,
        boolean current) {}
