package dev.sheaf.server.webhook;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.server.event.FeedRow;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A delivery: sent to a webhook, or waiting to be sent again.
///
/// @param eventSeq the event's place in the feed of its organization; null if the event is not in the feed
/// @param body the content if the event is not in the feed
/// @param attempts the number of attempts so far
/// @param extras how many of the attempts somebody requested; the others follow the schedule
/// @param isExtra whether the next attempt is one that somebody requested
/// @param dueAt when a pending delivery is attempted next
/// @param plannedAt when the schedule continues after the attempt that somebody requested; null if it has ended
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
        int extras,
        boolean isExtra,
        @Nullable Instant dueAt,
        @Nullable Instant plannedAt,
        Instant createdAt,
        Instant updatedAt) {
    /// Returns the delivery of an event that was not attempted yet.
    static DeliveryRow first(UUID webhook, FeedRow event, Instant now) {
        return new DeliveryRow(
                TimeOrderedIds.next(now),
                webhook,
                event.id(),
                event.seq(),
                event.type(),
                event.subject(),
                null,
                DeliveryState.PENDING,
                0,
                0,
                false,
                null,
                null,
                now,
                now);
    }

    /// Returns whether it is a test, which is attempted once, and for which nothing waits.
    boolean isTest() {
        return eventSeq == null;
    }

    /// Returns the delivery after another attempt.
    ///
    /// @param due when a pending delivery is attempted next
    DeliveryRow tried(DeliveryState outcome, @Nullable Instant due, Instant now) {
        return new DeliveryRow(
                id,
                webhookId,
                eventId,
                eventSeq,
                type,
                subject,
                body,
                outcome,
                attempts + 1,
                extras + (isExtra ? 1 : 0),
                false,
                due,
                null,
                createdAt,
                now);
    }

    /// Returns the delivery after an attempt during which somebody requested another one: that one is still to be
    /// made, and the schedule goes on after it.
    ///
    /// @param requested as it was stored by the request
    DeliveryRow and(DeliveryRow requested) {
        return new DeliveryRow(
                id,
                webhookId,
                eventId,
                eventSeq,
                type,
                subject,
                body,
                DeliveryState.PENDING,
                attempts,
                extras,
                true,
                requested.dueAt,
                dueAt,
                createdAt,
                updatedAt);
    }

    /// Returns whether somebody requested an attempt since this row was read.
    ///
    /// @param stored the row as it is now
    boolean isRequestedIn(DeliveryRow stored) {
        return stored.isExtra && !(isExtra && Objects.equals(dueAt, stored.dueAt));
    }

    /// Returns when the delivery is attempted after another failure; empty if that was the last attempt. One that
    /// somebody requested leaves the schedule as it is.
    Optional<Instant> next(Instant now) {
        return isExtra
                ? Optional.ofNullable(plannedAt)
                : RetrySchedule.after(attempts - extras + 1).map(now::plus);
    }

    /// The result of an attempt, as [Attempt] has it.
    record Result(
            UUID deliveryId,
            @Nullable Integer status,
            @Nullable String error) {}

    /// An attempt to deliver it.
    ///
    /// @param number from 1
    /// @param status the status of the response; null if there was no response
    /// @param answer the first bytes of its body as text; null if it is not text
    /// @param error why the attempt failed; null if it succeeded
    /// @param requestHeaders the headers that were sent, one a line; null if they were not stored
    /// @param answerHeaders some headers of the response, one a line; null if they were not stored
    /// @param answerBytes how much was read of its body; null if that was not stored
    record Attempt(
            UUID deliveryId,
            int number,
            Instant at,
            long milliseconds,
            @Nullable Integer status,
            @Nullable String answer,
            @Nullable String error,
            @Nullable String requestHeaders,
            @Nullable String answerHeaders,
            @Nullable Long answerBytes) {
        Result result() {
            return new Result(deliveryId, status, error);
        }
    }
}
