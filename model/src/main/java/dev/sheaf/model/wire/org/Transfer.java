package dev.sheaf.model.wire.org;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The offer of a namespace to another organization.
///
/// @param from the handle of the current owner
/// @param to the handle of the receiver
/// @param state `pending`, `expired`, `accepted`, `declined` or `cancelled`
/// @param endedAt when it was accepted, declined or cancelled
public record Transfer(
        UUID id,
        String namespace,
        String from,
        String to,
        String state,
        Instant createdAt,
        String createdBy,
        Instant expiresAt,
        @Nullable Instant endedAt,
        @Nullable String endedBy) {}
