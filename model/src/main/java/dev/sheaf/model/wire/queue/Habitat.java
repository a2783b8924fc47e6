package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A place where workers run.
///
/// @param status `online` while a live worker is registered in it, else `offline`
/// @param habitatType `local` or `cloud`
public record Habitat(
        UUID id,
        UUID organizationId,
        String slug,
        String name,
        String status,
        String habitatType,
        Instant createdAt,
        @Nullable Instant updatedAt) {}
