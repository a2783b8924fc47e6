package dev.sheaf.server.queue.route;

import dev.sheaf.model.wire.queue.JobRoute;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A route from events to a queue.
///
/// @param disabled why the service disabled it; null: it did not
/// @param seq up to which event it has been looked at
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
