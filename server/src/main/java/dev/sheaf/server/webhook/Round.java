package dev.sheaf.server.webhook;

import dev.sheaf.server.db.Ids;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.FeedRow;
import dev.sheaf.server.work.Turn;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Does a courier's work for one webhook until nothing is left to do now.
final class Round {
    /// How long it waits for more work before it releases the webhook. Releasing it costs two transactions.
    private static final Duration LINGER = Duration.ofSeconds(2);
    /// The most events of other types that are read again after a restart.
    private static final long SKIPPED = 500;
    private static final Instant NEVER = Instant.MAX;

    private final Courier courier;
    private final Turn turn;
    private final Backlog backlog;
    private final Ledger ledger;
    private final Deque<DeliveryRow> due = new ArrayDeque<>();
    private WebhookRow webhook;
    private Progress progress;
    private long loaded;
    private long freeAt = System.nanoTime(); // when the rate limit allows the next request

    /// @param loaded the number of edits when the webhook was read
    private Round(Courier courier, Turn turn, Backlog backlog, Ledger ledger, WebhookRow webhook, long loaded) {
        this.courier = courier;
        this.turn = turn;
        this.backlog = backlog;
        this.ledger = ledger;
        this.webhook = webhook;
        this.progress = webhook.progress();
        this.loaded = loaded;
    }

    /// @return when there will be more to do; null if only a notification brings more
    static @Nullable Instant run(Courier courier, Turn turn, Backlog backlog, Ledger ledger) {
        long edits = courier.edits(turn.owner());
        var webhook = backlog.load().filter(WebhookRow::isEnabled);
        return webhook.isEmpty() ? null : new Round(courier, turn, backlog, ledger, webhook.get(), edits).run();
    }

    private @Nullable Instant run() {
        while (!turn.isOver()) {
            turn.wasAsked();
            if (courier.edits(turn.owner()) != loaded) {
                ledger.flush();
                if (!reload()) {
                    return null;
                }
            }
            var until = step();
            if (until != null && !await(until)) {
                finish();
                return until.equals(NEVER) ? null : until;
            }
        }
        finish();
        return now();
    }

    private Instant now() {
        return courier.database().now();
    }

    /// @return false if the webhook no longer receives anything
    private boolean reload() {
        loaded = courier.edits(turn.owner());
        due.clear();
        var found = backlog.load().filter(WebhookRow::isEnabled);
        found.ifPresent(row -> {
            webhook = row;
            progress = row.progress();
        });
        return found.isPresent();
    }

    /// Waits until then, or until there is something to do.
    ///
    /// @return false if the wait is so long that the webhook should be released meanwhile
    private boolean await(Instant until) {
        ledger.flush();
        var left = until.equals(NEVER) ? LINGER : Duration.between(now(), until);
        boolean isLong = left.compareTo(LINGER) >= 0;
        return turn.await(isLong ? LINGER : left) || !isLong || turn.isOver();
    }

    private void finish() {
        ledger.flush();
        if (backlog.read() - progress.seq() >= SKIPPED) {
            progress = progress.at(backlog.read());
            courier.database().write(tx -> {
                if (turn.holds(tx)) {
                    WebhookRows.progress(tx, webhook.id(), progress);
                }
                return turn;
            });
        }
    }

    /// Delivers one event.
    ///
    /// @return null if it was delivered; otherwise when there will be something to do, or [#NEVER] if that is
    /// not known
    private @Nullable Instant step() {
        if (test()) {
            return null;
        }
        var now = now();
        if (progress.pausedUntil() != null && progress.pausedUntil().isAfter(now)) {
            return progress.pausedUntil();
        }
        var slot = untilSlot();
        if (!slot.isZero()) {
            turn.await(slot);
            return null;
        }
        if (retry(now)) {
            return null;
        }
        var event = backlog.peek(progress);
        var next = backlog.due() == null ? NEVER : backlog.due();
        if (event == null) {
            progress = progress.replaying(null, null); // the rest of the replay was not for this webhook
            return next;
        }
        var held = progress.heldUntil(now, event.createdAt());
        if (held != null) {
            return held.isBefore(next) ? held : next;
        }
        boolean replayed = backlog.isReplayed();
        deliver(fresh(backlog.take(), now), event, replayed);
        return null;
    }

    private Duration untilSlot() {
        if (webhook.rate() == null) {
            return Duration.ZERO;
        }
        long nanos = freeAt - System.nanoTime();
        if (nanos > 0) {
            return Duration.ofNanos(nanos);
        }
        freeAt = System.nanoTime()
                + Duration.ofSeconds(1).dividedBy(webhook.rate()).toNanos();
        return Duration.ZERO;
    }

    /// Sends a test before anything else and without waiting, because the person who requested it is watching.
    private boolean test() {
        var delivery = backlog.takeTest();
        if (delivery == null) {
            return false;
        }
        deliver(delivery, null, false);
        ledger.flush();
        backlog.lookForTests();
        return true;
    }

    /// Attempts the deliveries that are due again.
    private boolean retry(Instant now) {
        if (due.isEmpty() && backlog.due() != null && !backlog.due().isAfter(now)) {
            ledger.flush();
            due.addAll(backlog.takeDue());
            if (due.isEmpty()) {
                backlog.lookForDue();
            }
        }
        var delivery = due.poll();
        if (delivery == null) {
            return false;
        }
        var event = delivery.eventSeq() == null
                ? null
                : backlog.event(delivery.eventSeq()).orElse(null);
        deliver(delivery, event, false);
        if (due.isEmpty()) {
            ledger.flush();
            backlog.lookForDue();
        }
        return true;
    }

    private DeliveryRow fresh(FeedRow event, Instant now) {
        courier.begins(webhook, progress, event, now);
        return new DeliveryRow(
                Ids.next(now),
                webhook.id(),
                event.id(),
                event.seq(),
                event.type(),
                event.subject(),
                null,
                DeliveryState.PENDING,
                0,
                null,
                now,
                now);
    }

    // --- one delivery ---

    /// @param event null if it has expired or was never in the feed
    private void deliver(DeliveryRow delivery, @Nullable FeedRow event, boolean replayed) {
        var now = now();
        byte[] body = event == null
                ? delivery.body() == null ? null : delivery.body().getBytes(StandardCharsets.UTF_8)
                : courier.wire().body(event, EventWire.View.ADMIN);
        var sent = body == null
                ? new Sender.Result(now, 0, null, null, "the event has expired", null)
                : courier.sender().send(webhook, delivery.eventId(), body, now);
        if (sent.status() == null && turn.isStopped()) {
            return; // the node is stopping and the call was cut off; the event will be sent again
        }
        boolean isOther = hasMoved();
        var result = isOther ? sent.withoutRetryAfter() : sent;
        boolean isGone = result.isGone() && !isOther;
        boolean isTest = delivery.eventSeq() == null; // attempted once; nothing waits for it
        boolean isLast = body == null || isTest || isGone;
        var pause = result.isDelivered() || isLast
                ? null
                : Retries.after(delivery.attempts() + 1).orElse(null);
        var after = isTest ? progress : tried(result, isOther);
        if (event != null && delivery.attempts() == 0 && delivery.dueAt() == null) {
            after = replayed ? after.replayed(event.seq()) : after.at(event.seq());
        }
        var end = progress.replayEnd();
        progress = after;
        record(
                delivery,
                result,
                pause,
                replayed && event != null && end != null ? new Ledger.Replayed(event.seq(), end) : null);
        if (isGone) {
            disable(Disabled.GONE);
        } else if (progress.isHopeless(now)) {
            disable(Disabled.FAILING);
        }
    }

    private Progress tried(Sender.Result result, boolean isOther) {
        return result.isDelivered() || isOther ? progress.succeeded() : progress.failed(now(), result.retryAfter());
    }

    /// Returns whether the receiver has changed since. Failures of the old receiver do not count against the
    /// new one.
    private boolean hasMoved() {
        return courier.edits(turn.owner()) != loaded && !backlog.isSentTo(webhook.url());
    }

    private void record(
            DeliveryRow delivery, Sender.Result result, @Nullable Duration pause, Ledger.@Nullable Replayed replayed) {
        var now = now();
        var due = pause == null ? null : now.plus(pause);
        if (due != null && result.retryAfter() != null && result.retryAfter().isAfter(due)) {
            due = result.retryAfter();
        }
        var state = result.isDelivered()
                ? DeliveryState.DELIVERED
                : due == null ? DeliveryState.FAILED : DeliveryState.PENDING;
        var tried = delivery.tried(state, due, now);
        var attempt = new DeliveryRow.Attempt(
                tried.id(),
                tried.attempts(),
                result.at(),
                result.milliseconds(),
                result.status(),
                result.answer(),
                result.error());
        ledger.add(new Ledger.Entry(tried, attempt, progress, replayed));
        if (due != null) {
            backlog.dueAt(due);
        }
    }

    private void disable(Disabled reason) {
        ledger.flush();
        boolean done = courier.database().write(tx -> {
            boolean isThis = turn.holds(tx)
                    && WebhookRows.lock(tx, webhook.organizationId(), webhook.id())
                            .filter(now -> now.isEnabled() && now.url().equals(webhook.url()))
                            .isPresent();
            if (isThis) {
                reason.end(tx, webhook);
            }
            return isThis;
        });
        if (done) {
            reason.log(webhook);
        }
    }
}
