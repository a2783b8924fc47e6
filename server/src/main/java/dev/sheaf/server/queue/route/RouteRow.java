package dev.sheaf.server.queue.route;

import dev.sheaf.model.wire.queue.JobRoute;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A route from events to a queue, as it is stored.
///
/// @param disabled why the registry disabled the route; null if it did not
/// @param seq the last event that was handled
record RouteRow(
        UUID id,
        UUID organizationId,
        UUID queueId,
        String name,
        RoutedTypes eventTypes,
        @Nullable String subject,
        @Nullable String inputTemplate,
        boolean enabled,
        @Nullable String disabled,
        @Nullable String lastError,
        long seq,
        Instant createdAt,
        String createdBy,
        @Nullable Instant updatedAt) {
    JobRoute toWire() {
        return new JobRoute(
                id,
                name,
                eventTypes.names(),
                subject,
                queueId,
                inputTemplate,
                enabled,
                disabled,
                lastError,
                createdAt,
                createdBy,
                updatedAt);
    }
}
