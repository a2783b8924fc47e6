package dev.sheaf.server.webhook;

import dev.sheaf.engine.work.WorkClaim;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Scope;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.event.EventFeeds;
import dev.sheaf.server.event.EventFilter;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.FeedRow;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends what one webhook has to send, one request at a time, while this node holds the webhook: first tests, then
/// failed deliveries that are due, then new events, then replayed ones. It sends a few, and then stores their results
/// in one transaction. If the node dies before, those few are sent again.
final class DeliveryRun {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryRun.class);
    /// How long it waits for more work before it releases the webhook.
    private static final Duration LINGER = Duration.ofSeconds(2);
    /// Results wait for this time, and for the answer after it, before they are stored.
    private static final Duration UNSTORED = Duration.ofMillis(100);
    /// The most events of other types that are read again after a restart.
    private static final long SKIPPED = 500;
    private static final EventFilter ALL = filter(List.of(), CredentialRestrictions.NONE);

    private final WebhookDelivery parts;
    private final WorkClaim claim;
    private final EventFeeds.Follower follower;
    private final UUID organization;
    private final UUID id;
    private DueDeliveries due;
    private EventFilter filter = ALL;
    private long read; // how far in the feed, including events that are not for this webhook
    private long freeAt = System.nanoTime(); // when the rate limit allows the next request

    /// A delivery that may be sent now.
    ///
    /// @param event null if it has to be looked up, or is not in the feed
    private record Outgoing(DeliveryRow delivery, @Nullable FeedRow event) {}

    /// Deliveries that are sent together.
    ///
    /// @param end how far the feed has been read when all are sent
    /// @param replayEnd the last event of the replay to which they belong; null if to none
    /// @param next when there will be more to do if there are none; null if that is not known
    private record Batch(
            List<Outgoing> deliveries,
            long end,
            @Nullable Long replayEnd,
            @Nullable Instant next) {}

    private DeliveryRun(WebhookDelivery parts, WorkClaim claim, EventFeeds.Follower follower, DueDeliveries due) {
        this.parts = parts;
        this.claim = claim;
        this.follower = follower;
        this.organization = UUID.fromString(claim.owner());
        this.id = UUID.fromString(claim.name());
        this.due = due;
        use(due);
    }

    /// @return when there will be more to do; null if only an announcement brings more
    static @Nullable Instant run(WebhookDelivery parts, WorkClaim claim, EventFeeds.Follower follower) {
        claim.readAgain();
        var due = parts.database()
                .read(tx -> DueDeliveries.read(tx, UUID.fromString(claim.owner()), UUID.fromString(claim.name())));
        return due.isEmpty() ? null : new DeliveryRun(parts, claim, follower, due.get()).run();
    }

    private @Nullable Instant run() {
        while (!claim.isOver()) {
            claim.wasAnnounced();
            if (claim.isChanged() && !readAgain()) {
                return null;
            }
            var batch = next(now());
            if (batch.deliveries().isEmpty()) {
                if (!await(batch.next())) {
                    storeSkipped();
                    return batch.next();
                }
            } else if (!deliver(batch)) {
                return null;
            }
        }
        storeSkipped();
        return now();
    }

    private Instant now() {
        return parts.database().now();
    }

    /// @return false if the webhook no longer receives anything
    private boolean readAgain() {
        claim.readAgain();
        var found = parts.database().read(tx -> DueDeliveries.read(tx, organization, id));
        found.ifPresent(this::use);
        return found.isPresent();
    }

    private void use(DueDeliveries found) {
        due = found;
        read = found.webhook().progress().seq();
        filter = filter(
                found.webhook().types().names(),
                CredentialRestrictions.decode(found.webhook().restrictions()));
    }

    private static EventFilter filter(List<String> types, CredentialRestrictions restrictions) {
        return new EventFilter(types, List.of(), new EventFilter.Reader(Scope.ADMIN, restrictions));
    }

    /// Waits until then, or until there is something to do.
    ///
    /// @param until null if it is not known
    /// @return false if the wait is so long that the webhook should be released meanwhile
    private boolean await(@Nullable Instant until) {
        var left = until == null ? LINGER : Duration.between(now(), until);
        boolean isLong = left.compareTo(LINGER) >= 0;
        return claim.await(isLong ? LINGER : left) || !isLong;
    }

    /// Stores the place in the feed after many events that were not for this webhook.
    private void storeSkipped() {
        if (read - due.webhook().progress().seq() >= SKIPPED) {
            store(progress -> progress.at(read));
        }
    }

    private void store(UnaryOperator<WebhookProgress> change) {
        parts.database().write(tx -> {
            if (claim.holds(tx)) {
                WebhookRows.lock(tx, organization, id)
                        .ifPresent(row -> WebhookRows.progress(tx, id, change.apply(row.progress())));
            }
            return id;
        });
    }

    // --- what comes next ---

    private Batch next(Instant now) {
        if (!due.tests().isEmpty()) { // even during a pause, because the person who requested it is watching
            return known(due.tests());
        }
        var paused = due.webhook().progress().pausedUntil();
        if (paused != null && paused.isAfter(now)) {
            return nothing(paused);
        }
        var retries = due.due(now);
        return retries.isEmpty() ? events(now) : known(retries);
    }

    private Batch known(List<DeliveryRow> deliveries) {
        return new Batch(
                deliveries.stream()
                        .map(delivery -> new Outgoing(delivery, null))
                        .toList(),
                read,
                null,
                null);
    }

    private Batch nothing(@Nullable Instant next) {
        return new Batch(List.of(), read, null, next);
    }

    private Batch events(Instant now) {
        var page = page(filter, read);
        while (page.events().isEmpty() && page.hasMore()) {
            page = page(filter, page.end().seq());
        }
        var retry = due.next(now);
        if (page.events().isEmpty()) {
            read = Math.max(read, page.end().seq());
            return replayed(now, retry);
        }
        var held =
                due.webhook().progress().heldUntil(now, page.events().getFirst().createdAt());
        return held == null
                ? fresh(page.events(), now, page.end().seq(), null)
                : nothing(retry == null || held.isBefore(retry) ? held : retry);
    }

    private Batch replayed(Instant now, @Nullable Instant retry) {
        var progress = due.webhook().progress();
        var after = progress.replaySeq();
        var end = progress.replayEnd();
        if (after == null || end == null) {
            return nothing(retry);
        }
        var page = page(filter, after);
        while (page.events().isEmpty() && page.hasMore() && page.end().seq() < end) {
            page = page(filter, page.end().seq());
        }
        var events = page.events().stream().filter(event -> event.seq() <= end).toList();
        if (events.isEmpty()) { // the rest has no events for this webhook
            store(its -> end.equals(its.replayEnd()) ? its.replaying(null, null) : its);
            due = due.with(progress.replaying(null, null));
            return nothing(retry);
        }
        return fresh(events, now, read, end);
    }

    private Batch fresh(List<FeedRow> events, Instant now, long end, @Nullable Long replayEnd) {
        return new Batch(
                events.stream()
                        .map(event -> new Outgoing(DeliveryRow.first(id, event, now), event))
                        .toList(),
                end,
                replayEnd,
                null);
    }

    private EventFeeds.Page page(EventFilter of, long after) {
        try {
            return follower.read(of, after, DueDeliveries.MOST);
        } catch (ProblemException e) {
            if (!(e.problem() instanceof Problem.CursorExpired)) {
                throw e;
            }
            LOG.warn(
                    "the webhook {} is so far behind that events have expired; it continues with the oldest one that is left",
                    id);
            return follower.read(of, -1, DueDeliveries.MOST);
        }
    }

    // --- sending ---

    /// @return false if the webhook receives nothing more from this node
    private boolean deliver(Batch batch) {
        var sent = send(batch);
        if (sent.isEmpty()) {
            return true; // the node stops, or the webhook was changed
        }
        var results = new DeliveryResults(due.webhook(), batch.replayEnd(), sent);
        var left = parts.database().write(tx -> claim.holds(tx) ? results.store(tx) : results.nothing());
        left.log();
        if (left.due() == null) {
            return false;
        }
        use(left.due());
        if (batch.replayEnd() == null && sent.size() == batch.deliveries().size()) {
            read = Math.max(read, batch.end());
        }
        return true;
    }

    private List<DeliveryResults.Sent> send(Batch batch) {
        var sent = new ArrayList<DeliveryResults.Sent>();
        long begun = System.nanoTime();
        for (var each : batch.deliveries()) {
            if (!isFree(each.delivery(), sent.isEmpty())) {
                break;
            }
            var result = attempt(each, batch);
            if (result.status() == null && claim.isStopped()) {
                break; // the call was cut off; the event will be sent again
            }
            sent.add(new DeliveryResults.Sent(each.delivery(), each.event(), result));
            if (!result.isDelivered() || System.nanoTime() - begun > UNSTORED.toNanos()) {
                break;
            }
        }
        return sent;
    }

    /// Returns whether the delivery may be sent now: the settings are still those that were read, and the rate
    /// limit allows it.
    ///
    /// @param waits whether to wait for the rate limit
    private boolean isFree(DeliveryRow delivery, boolean waits) {
        var rate = delivery.isTest() ? null : due.webhook().rate();
        long left = rate == null ? 0 : freeAt - System.nanoTime();
        while (left > 0 && waits && !claim.isOver() && !claim.isChanged()) {
            claim.await(Duration.ofNanos(left));
            left = freeAt - System.nanoTime();
        }
        if (left > 0 || claim.isOver() || claim.isChanged()) {
            return false;
        }
        if (rate != null) {
            freeAt = System.nanoTime() + Duration.ofSeconds(1).dividedBy(rate).toNanos();
        }
        return true;
    }

    private Sender.Result attempt(Outgoing each, Batch batch) {
        var delivery = each.delivery();
        var now = now();
        var event = each.event();
        if (event != null) {
            var progress = due.webhook().progress();
            if (progress.failingSince() == null
                    && batch.replayEnd() == null
                    && due.webhook().rate() == null) {
                parts.lags().accept(Duration.between(event.createdAt(), now).toNanos());
            }
        } else if (delivery.eventSeq() != null) {
            event = event(delivery.eventSeq());
        }
        byte[] body;
        if (event != null) {
            body = parts.wire().body(event, EventWire.View.ADMIN);
        } else if (delivery.body() != null) {
            body = delivery.body().getBytes(StandardCharsets.UTF_8);
        } else {
            return Sender.Result.expired(now);
        }
        return parts.sender().send(due.webhook(), delivery.eventId(), body, now);
    }

    /// Returns the event with this sequence, even if it is not for this webhook; null if it has expired.
    private @Nullable FeedRow event(long seq) {
        return page(ALL, seq - 1).events().stream()
                .filter(event -> event.seq() == seq)
                .findFirst()
                .orElse(null);
    }
}
