package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A rule that enqueues a job for each matching event.
///
/// @param eventTypes such as `version.published` or `version.*`
/// @param subject the subject of the events, with an optional `*` at the end; null means any
/// @param inputTemplate a Liquid template that produces the input as JSON; if null, the input is the event
/// @param disabledReason why the registry disabled it; null if it did not
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
