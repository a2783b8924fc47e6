package dev.sheaf.model.wire.webhook;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The delivery of an event to a webhook.
///
/// @param eventId sent as `webhook-id`, the same in each attempt
/// @param sequence of the event, 20 digits; null: a test delivery
/// @param type of the event
/// @param subject of the event
/// @param state `delivered`, `pending` (will be retried) or `failed`
/// @param attemptCount number of attempts
/// @param nextAttemptAt time of the next attempt of a pending delivery
/// @param attempts the latest hundred, oldest first; null in lists
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
    /// @param status of the response; null: no response
    /// @param answer the first 1,024 bytes of the response body, as text
    /// @param error why it failed; null: it succeeded
    public record Attempt(
            Instant at,
            long milliseconds,
            @Nullable Integer status,
            @Nullable String answer,
            @Nullable String error) {}
}
