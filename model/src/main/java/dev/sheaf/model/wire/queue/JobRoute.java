package dev.sheaf.model.wire.queue;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Makes a job of each event that matches.
///
/// @param eventTypes such as `version.published` or `version.*`
/// @param subject of the events, one trailing `*` allowed; null: any
/// @param inputTemplate Liquid that gives the input as JSON; null: the event itself
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
