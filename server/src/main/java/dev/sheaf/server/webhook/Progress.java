package dev.sheaf.server.webhook;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How far a webhook is, and how its receiver does.
///
/// @param seq up to which event it has been looked at
/// @param failingSince when the first failed of the deliveries that failed since one succeeded; null: the last
/// succeeded
/// @param failures how many those are
/// @param pausedUntil when anything is tried again; null: now
/// @param replaySeq events after this one are sent once more; null: none are
/// @param replayEnd the last of these
record Progress(
        long seq,
        @Nullable Instant failingSince,
        int failures,
        @Nullable Instant pausedUntil,
        @Nullable Long replaySeq,
        @Nullable Long replayEnd) {
    /// How long a failure keeps what comes after it waiting: then it passes.
    static final Duration HOLD = Duration.ofSeconds(30);
    /// How long a receiver may fail.
    static final Duration PATIENCE = Duration.ofDays(5);
    /// From so many failures in a row on there are pauses between tries, each twice as long as the one before.
    private static final int TOLERATED = 5;

    static Progress from(long seq) {
        return new Progress(seq, null, 0, null, null, null);
    }

    Progress at(long event) {
        return new Progress(Math.max(seq, event), failingSince, failures, pausedUntil, replaySeq, replayEnd);
    }

    /// With its replay up to that event; over once that is the last.
    Progress replayed(long event) {
        return replayEnd == null || event >= replayEnd ? replaying(null, null) : replaying(event, replayEnd);
    }

    Progress replaying(@Nullable Long after, @Nullable Long end) {
        return new Progress(seq, failingSince, failures, pausedUntil, after, end);
    }

    Progress succeeded() {
        return new Progress(seq, null, 0, null, replaySeq, replayEnd);
    }

    /// @param retryAfter until when the receiver wants to be left alone; null: it did not say
    Progress failed(Instant now, @Nullable Instant retryAfter) {
        Instant pause = null;
        if (failures + 1 >= TOLERATED) {
            long seconds = 1L << Math.min(failures + 1 - TOLERATED, 5);
            pause = now.plusSeconds(Math.min(seconds, HOLD.toSeconds()));
        }
        if (retryAfter != null && (pause == null || retryAfter.isAfter(pause))) {
            pause = retryAfter;
        }
        return new Progress(seq, failingSince == null ? now : failingSince, failures + 1, pause, replaySeq, replayEnd);
    }

    /// Whether the receiver has failed for longer than anybody waits.
    boolean isHopeless(Instant now) {
        return failingSince != null && failingSince.plus(PATIENCE).isBefore(now);
    }

    /// Until when an event waits behind those that fail; null: it does not.
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
