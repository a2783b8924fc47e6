package dev.sheaf.server.webhook;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Something that was sent to a webhook, or is to be sent again.
///
/// @param eventSeq the event's place in the feed of its organization; null: it is not there
/// @param body what is sent where it is no event of the feed
/// @param attempts how often it was tried
/// @param dueAt when a pending one is tried next
record DeliveryRow(
        UUID id,
        UUID webhookId,
        UUID eventId,
        @Nullable Long eventSeq,
        String type,
        String subject,
        @Nullable String body,
        DeliveryState state,
        int attempts,
        @Nullable Instant dueAt,
        Instant createdAt,
        Instant updatedAt) {
    /// After another try.
    ///
    /// @param due when it is tried again, of a pending one
    DeliveryRow tried(DeliveryState outcome, @Nullable Instant due, Instant now) {
        return new DeliveryRow(
                id, webhookId, eventId, eventSeq, type, subject, body, outcome, attempts + 1, due, createdAt, now);
    }

    /// A try of it.
    ///
    /// @param number from 1
    /// @param status of the answer; null: there was none
    /// @param answer its first bytes as text
    /// @param error why it failed; null: it did not
    record Attempt(
            UUID deliveryId,
            int number,
            Instant at,
            long milliseconds,
            @Nullable Integer status,
            @Nullable String answer,
            @Nullable String error) {}
}
