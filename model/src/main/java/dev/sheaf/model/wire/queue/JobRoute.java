package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A rule that enqueues a job for each matching event.
///
/// @param eventTypes such as `version.published` or `version.*`
/// @param subject of the events, one trailing `*` allowed; null: any
/// @param inputTemplate Liquid template that produces the input as JSON; null: the input is the event
/// @param disabledReason why the service disabled it; null: it did not
public record JobRoute(
        UUID id,
        String name,
        List<String> eventTypes,
        @Nullable String subject,
        UUID queueId,
        @Nullable String inputTemplate,
        boolean enabled,
        @Nullable String disabledReason,
        @Nullable String lastError,
        Instant createdAt,
        String createdBy,
        @Nullable Instant updatedAt) {
    public JobRoute {
        eventTypes = List.copyOf(eventTypes);
    }
}
