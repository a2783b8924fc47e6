package dev.sheaf.model.wire.webhook;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The delivery of an event to a webhook.
///
/// @param eventId sent as `webhook-id`, the same in each attempt
/// @param sequence the sequence of the event, 20 digits; null for a test delivery
/// @param type the type of the event
/// @param subject the subject of the event
/// @param state `delivered`, `pending` (will be retried) or `failed`
/// @param lastStatus the HTTP status of the response to the latest attempt; null if no response arrived, or before the
/// first attempt
/// @param lastError the reason for the failure of the latest attempt; null if it succeeded, or before the first attempt
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
        @Nullable Integer lastStatus,
        @Nullable String lastError,
        @Nullable Instant nextAttemptAt,
        Instant createdAt,
        Instant updatedAt,
        @Nullable List<Attempt> attempts) {
    /// An attempt.
    ///
    /// @param status the HTTP status of the response; null if no response arrived
    /// @param answer the beginning of the response body as text: up to 8 KiB of a failure, else 1 KiB; null if it
    ///     is not text
    /// @param error the reason for the failure; null if the attempt succeeded
    /// @param requestHeaders the headers that were sent, without the values of the webhook's own; null if the
    ///     attempt succeeded or was made by an older server
    /// @param answerHeaders headers of the response that help to find an error; null without a response
    /// @param answerBytes how many bytes of the response body were read, at most 64 KiB
    public record Attempt(
            Instant at,
            long milliseconds,
            @Nullable Integer status,
            @Nullable String answer,
            @Nullable String error,
            @Nullable Map<String, String> requestHeaders,
            @Nullable Map<String, String> answerHeaders,
            @Nullable Long answerBytes) {}
}
