package dev.sheaf.server.queue;

import dev.sheaf.model.wire.queue.Habitat;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A habitat: a place where work runs.
///
/// @param online whether it has a live registered worker
record HabitatRow(
        UUID id,
        UUID organizationId,
        String slug,
        String name,
        String habitatType,
        Instant createdAt,
        @Nullable Instant updatedAt,
        boolean online) {
    Habitat toWire() {
        return new Habitat(
                id, organizationId, slug, name, online ? "online" : "offline", habitatType, createdAt, updatedAt);
    }
}
