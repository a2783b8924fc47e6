package dev.sheaf.model.wire.webhook;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An event that was sent to a webhook, or was tried to be.
///
/// @param eventId the same in each try, as `webhook-id`
/// @param sequence of the event, 20 digits; null: it is a test
/// @param type of the event
/// @param subject of the event
/// @param state `delivered`, `pending` (it is tried again) or `failed`
/// @param attemptCount how often it was tried
/// @param nextAttemptAt when a pending one is tried next
/// @param attempts the latest hundred tries, the oldest first; null in lists
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
    /// A try.
    ///
    /// @param status of the answer; null: there was none
    /// @param answer the first 1,024 bytes of its body, as text
    /// @param error why it failed; null: it did not
    public record Attempt(
            Instant at,
            long milliseconds,
            @Nullable Integer status,
            @Nullable String answer,
            @Nullable String error) {}
}
