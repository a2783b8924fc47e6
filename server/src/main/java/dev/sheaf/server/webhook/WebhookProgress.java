package dev.sheaf.server.webhook;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The position of a webhook in the feed, and the health of its receiver.
///
/// @param seq the last event of the feed that was examined
/// @param failingSince when the current series of failures began; null if the last delivery succeeded
/// @param failures the number of failures in this series
/// @param pausedUntil when the next attempt is allowed; null for now
/// @param replaySeq events after this one are replayed; null if there is no replay
/// @param replayEnd the last event of the replay
record WebhookProgress(
        long seq,
        @Nullable Instant failingSince,
        int failures,
        @Nullable Instant pausedUntil,
        @Nullable Long replaySeq,
        @Nullable Long replayEnd) {
    /// How long a failed event holds back the events after it.
    static final Duration HOLD = Duration.ofSeconds(30);
    /// How long a receiver may fail before the webhook is disabled.
    static final Duration PATIENCE = Duration.ofDays(5);
    /// After this many failures in a row there are pauses between attempts, each twice as long as the last.
    private static final int TOLERATED = 5;

    static WebhookProgress from(long seq) {
        return new WebhookProgress(seq, null, 0, null, null, null);
    }

    WebhookProgress at(long event) {
        return new WebhookProgress(Math.max(seq, event), failingSince, failures, pausedUntil, replaySeq, replayEnd);
    }

    /// Advances the replay to this event, and ends it at its last event.
    WebhookProgress replayed(long event) {
        return replayEnd == null || event >= replayEnd ? replaying(null, null) : replaying(event, replayEnd);
    }

    WebhookProgress replaying(@Nullable Long after, @Nullable Long end) {
        return new WebhookProgress(seq, failingSince, failures, pausedUntil, after, end);
    }

    WebhookProgress succeeded() {
        return new WebhookProgress(seq, null, 0, null, replaySeq, replayEnd);
    }

    /// @param retryAfter the time before which the receiver wants no requests; null if it did not say
    WebhookProgress failed(Instant now, @Nullable Instant retryAfter) {
        Instant pause = null;
        if (failures + 1 >= TOLERATED) {
            long seconds = 1L << Math.min(failures + 1 - TOLERATED, 5);
            pause = now.plusSeconds(Math.min(seconds, HOLD.toSeconds()));
        }
        if (retryAfter != null && (pause == null || retryAfter.isAfter(pause))) {
            pause = retryAfter;
        }
        return new WebhookProgress(
                seq, failingSince == null ? now : failingSince, failures + 1, pause, replaySeq, replayEnd);
    }

    /// Returns whether the receiver has failed for too long.
    boolean isHopeless(Instant now) {
        return failingSince != null && failingSince.plus(PATIENCE).isBefore(now);
    }

    /// Returns the time until which failed events hold back this one; null if they do not.
    @Nullable
    Instant heldUntil(Instant now, Instant happened) {
        if (failingSince == null) {
            return null;
        }
        var end = failingSince.plus(HOLD);
        var own = happened.plus(HOLD);
        var first = own.isBefore(end) ? own : end;
        return first.isAfter(now) ? first : null;
    }
}
