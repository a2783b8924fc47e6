package dev.sheaf.server.webhook;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.event.FeedRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The results of some deliveries of a webhook, in the order in which they were sent.
///
/// @param webhook as it was when they were sent
/// @param replayEnd the last event of the replay to which they belong; null if to none
record DeliveryResults(WebhookRow webhook, @Nullable Long replayEnd, List<Sent> sent) {
    /// How many answers of a receiver that fails again and again are stored at length.
    private static final int EXAMPLES = 20;

    DeliveryResults {
        sent = List.copyOf(sent);
    }

    /// A delivery that was sent once.
    ///
    /// @param event null if it was attempted before, or is a test
    record Sent(DeliveryRow delivery, @Nullable FeedRow event, Sender.Result result) {}

    /// What is left after they were stored.
    ///
    /// @param due null if this node has to send nothing more
    /// @param disabled why the webhook was disabled; null if it was not
    record Left(@Nullable DueDeliveries due, @Nullable DisabledReason disabled, WebhookRow webhook) {
        void log() {
            if (disabled != null) {
                disabled.log(webhook);
            }
        }
    }

    Left nothing() {
        return new Left(null, null, webhook);
    }

    /// Stores them, and reads what is due next. Nothing is stored of a webhook that was deleted meanwhile.
    Left store(Tx tx) {
        var row = WebhookRows.lock(tx, webhook.organizationId(), webhook.id()).orElse(null);
        if (row == null) {
            return nothing();
        }
        boolean isOther = !row.url().equals(webhook.url()); // failures of the old receiver do not count
        var progress = row.progress();
        var deliveries = new ArrayList<DeliveryRow>();
        var attempts = new ArrayList<DeliveryRow.Attempt>();
        @Nullable DisabledReason disabled = null;
        var stored = DeliveryRows.byId(
                tx,
                sent.stream()
                        .filter(each -> each.event() == null)
                        .map(each -> each.delivery().id())
                        .toList());
        for (var each : sent) {
            progress = progress(each, progress, isOther, tx.now());
            var tried = tried(each, row.isEnabled(), isOther, tx.now());
            var now = stored.get(tried.id());
            deliveries.add(
                    row.isEnabled() && now != null && each.delivery().isRequestedIn(now) ? tried.and(now) : tried);
            attempts.add(attempt(tried, each.result(), progress.failures() > EXAMPLES));
            if (each.result().isGone() && !isOther) {
                disabled = DisabledReason.GONE;
            }
        }
        if (disabled == null && progress.isHopeless(tx.now())) {
            disabled = DisabledReason.FAILING;
        }
        DeliveryRows.save(tx, deliveries);
        DeliveryRows.add(tx, attempts);
        WebhookRows.progress(tx, row.id(), progress);
        if (!row.isEnabled()) {
            return nothing();
        }
        if (disabled != null) {
            disabled.end(tx, row);
            return new Left(null, disabled, row);
        }
        return new Left(DueDeliveries.of(tx, row.with(progress)).orElse(null), null, row);
    }

    private WebhookProgress progress(Sent each, WebhookProgress before, boolean isOther, Instant now) {
        if (each.delivery().isTest()) {
            return before;
        }
        var result = each.result();
        var after = result.isDelivered() || isOther ? before.succeeded() : before.failed(now, result.retryAfter());
        if (each.event() == null) {
            return after;
        }
        long seq = each.event().seq();
        if (replayEnd == null) {
            return after.at(seq);
        }
        // a replay that was requested meanwhile is left as it is
        boolean isThis = replayEnd.equals(before.replayEnd()) && before.replaySeq() != null && before.replaySeq() < seq;
        return isThis ? after.replayed(seq) : after;
    }

    private static DeliveryRow tried(Sent each, boolean isEnabled, boolean isOther, Instant now) {
        var result = each.result();
        var delivery = each.delivery();
        if (result.isDelivered()) {
            return delivery.tried(DeliveryState.DELIVERED, null, now);
        }
        boolean isLast = !isEnabled || delivery.isTest() || result.isExpired() || result.isGone() && !isOther;
        var due = isLast
                ? null
                : delivery.next(now)
                        .map(at -> isOther ? at : latest(at, result.retryAfter()))
                        .orElse(null);
        return delivery.tried(due == null ? DeliveryState.FAILED : DeliveryState.PENDING, due, now);
    }

    private static Instant latest(Instant at, @Nullable Instant wish) {
        return wish != null && wish.isAfter(at) ? wish : at;
    }

    private static DeliveryRow.Attempt attempt(DeliveryRow tried, Sender.Result result, boolean isShort) {
        var answer = result.answer();
        String body = answer == null ? null : answer.body();
        return new DeliveryRow.Attempt(
                tried.id(),
                tried.attempts(),
                result.at(),
                result.milliseconds(),
                result.status(),
                isShort ? KeptAnswer.shorter(body) : body,
                result.error(),
                result.sent(),
                answer == null ? null : answer.headers(),
                answer == null ? null : answer.bytes());
    }
}
