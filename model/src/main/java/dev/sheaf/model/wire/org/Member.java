package dev.sheaf.model.wire.org;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A member of an organization (contract 5.5).
///
/// @param role `owner`, `admin`, `publisher` or `reader`
/// @param createdAt when the person joined
public record Member(
        UUID userId,
        String email,
        String username,
        @Nullable String fullName,
        String role,
        boolean disabled,
        Instant createdAt) {}
