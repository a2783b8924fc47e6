package dev.sheaf.model.wire.org;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Somebody who belongs to an organization (contract 5.5).
///
/// @param role `owner`, `admin`, `publisher` or `reader`
/// @param createdAt since when
public record Member(
        UUID userId,
        String email,
        String username,
        @Nullable String fullName,
        String role,
        boolean disabled,
        Instant createdAt) {}
