package dev.sheaf.model.wire.webhook;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The delivery of an event to a webhook.
///
/// @param eventId sent as `webhook-id`, the same in each attempt
/// @param sequence the sequence of the event, 20 digits; null for a test delivery
/// @param type the type of the event
/// @param subject the subject of the event
/// @param state `delivered`, `pending` (will be retried) or `failed`
/// @param nextAttemptAt the time of the next attempt of a pending delivery
/// @param attempts the latest hundred attempts, oldest first; null in lists
public record Delivery(
        UUID id,
        UUID webhookId,
        UUID eventId,
        @Nullable String sequence,
        String type,
        String subject,
        String state,
        int attemptCount,
        @Nullable Instant nextAttemptAt,
        Instant createdAt,
        Instant updatedAt,
        @Nullable List<Attempt> attempts) {
    /// An attempt.
    ///
    /// @param status the HTTP status of the response; null if no response arrived
    /// @param answer the first 1,024 bytes of the response body, as text
    /// @param error the reason for the failure; null if the attempt succeeded
    public record Attempt(
            Instant at,
            long milliseconds,
            @Nullable Integer status,
            @Nullable String answer,
            @Nullable String error) {}
}
