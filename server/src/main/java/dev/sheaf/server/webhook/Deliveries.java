package dev.sheaf.server.webhook;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Throttle;
import dev.sheaf.model.wire.webhook.Delivery;
import dev.sheaf.model.wire.webhook.Webhook;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.event.EventFeed;
import dev.sheaf.server.event.EventFeeds;
import dev.sheaf.server.event.EventNames;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.FeedRow;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Lists the deliveries of webhooks, repeats single ones, sends tests, and replays past events. Thread-safe.
public final class Deliveries {
    private static final String TEST = "webhook.test";
    private static final Duration KEPT = Duration.ofDays(30);
    private static final int AT_ONCE = 500;
    /// Events that an organization may replay in a day. Each one is a row for thirty days.
    public static final long REPLAYED_A_DAY = 5_000_000;

    private static final int MOST_TESTS = 5; // tests of a webhook that have not been sent yet

    private final Database database;
    private final EventWire wire;
    private final WebhookSecrets secrets;
    private final Replays replays;

    /// Limits how many events an organization may replay.
    public interface Replays {
        /// @param events how many, at most those of a day
        /// @return 0 if the events were counted and may be replayed now; otherwise the seconds until they may
        long take(UUID organization, long events);
    }

    /// @param replays limits replays
    public Deliveries(Database database, EventWire wire, WebhookSecrets secrets, Replays replays) {
        this.replays = replays;
        this.database = database;
        this.wire = wire;
        this.secrets = secrets;
    }

    /// Lists deliveries, newest first.
    ///
    /// @param state null for any
    /// @param type event type, may end with `*`; null for any
    /// @param before the id before the page, or null
    /// @throws ProblemException not-found
    public List<Delivery> list(
            Caller.Known caller,
            UUID webhook,
            @Nullable DeliveryState state,
            @Nullable String type,
            @Nullable String before,
            int limit) {
        Access.whole(caller);
        var types = type == null ? null : types(type);
        return database.read(tx -> {
            Webhooks.find(tx, caller.organizationId(), webhook);
            var rows = DeliveryRows.list(tx, webhook, state, types, Webhooks.end(before), limit);
            var last = DeliveryRows.last(tx, rows);
            return rows.stream()
                    .map(row -> WebhookWire.show(row, last.get(row.id()), null))
                    .toList();
        });
    }

    /// Returns the event types that match. A pattern that matches no type finds nothing.
    private static List<String> types(String text) {
        return Stream.concat(EventNames.all().stream(), Stream.of(TEST))
                .filter(name -> EventNames.matches(text, name))
                .toList();
    }

    /// Returns a delivery with all its attempts.
    ///
    /// @throws ProblemException not-found
    public Delivery get(Caller.Known caller, UUID webhook, UUID id) {
        Access.whole(caller);
        return database.read(tx -> {
            Webhooks.find(tx, caller.organizationId(), webhook);
            var attempts = DeliveryRows.attempts(tx, id);
            return WebhookWire.show(
                    find(tx, webhook, id),
                    attempts.isEmpty() ? null : attempts.getLast().result(),
                    attempts);
        });
    }

    /// Returns the body of a delivery, which each of its attempts sends; empty if its event has expired.
    ///
    /// @throws ProblemException not-found
    public Optional<byte[]> body(Caller.Known caller, UUID webhook, UUID id) {
        Access.whole(caller);
        record Source(DeliveryRow delivery, @Nullable FeedRow event) {}
        var source = database.read(tx -> {
            var row = Webhooks.find(tx, caller.organizationId(), webhook);
            var delivery = find(tx, webhook, id);
            return new Source(
                    delivery,
                    Optional.ofNullable(delivery.eventSeq())
                            .flatMap(seq -> EventFeeds.find(tx, new EventFeed(row.organizationId()), seq))
                            .orElse(null));
        });
        String own = source.delivery().body();
        return own == null
                ? Optional.ofNullable(source.event()).map(event -> wire.body(event, EventWire.View.ADMIN))
                : Optional.of(own.getBytes(StandardCharsets.UTF_8));
    }

    private static DeliveryRow find(Tx tx, UUID webhook, UUID id) {
        return DeliveryRows.find(tx, webhook, id).orElseThrow(() -> new Problem.NotFound("delivery " + id).raise());
    }

    /// Sends a delivery once more, now. This extra attempt leaves the schedule of the automatic ones as it is, unless
    /// it
    /// succeeds.
    ///
    /// @throws ProblemException not-found; conflict if the webhook is disabled
    public Delivery redeliver(ChangeOrigin origin, UUID webhook, UUID id) {
        Access.whole(origin.caller());
        return database.write(tx -> {
            enabled(tx, origin, webhook);
            find(tx, webhook, id);
            DeliveryRows.retry(tx, id);
            note(tx, origin, "redeliver", webhook, id.toString());
            var row = find(tx, webhook, id);
            return WebhookWire.show(row, DeliveryRows.last(tx, List.of(row)).get(id), null);
        });
    }

    /// Sends a test event without content, so that a receiver can be tried.
    ///
    /// @throws ProblemException not-found; conflict if the webhook is disabled or too many tests are waiting
    public Delivery test(ChangeOrigin origin, UUID webhook) {
        Access.whole(origin.caller());
        var event = testEvent(origin, webhook, database.now());
        // before the transaction, because it may have to read the organization's handle
        String body = new String(wire.body(event, EventWire.View.MEMBER), StandardCharsets.UTF_8);
        return database.write(tx -> {
            enabled(tx, origin, webhook);
            if (DeliveryRows.tests(tx, webhook, MOST_TESTS).get().size() == MOST_TESTS) {
                throw new Problem.Conflict(
                                MOST_TESTS
                                        + " tests of this webhook are waiting to be sent, the limit; wait until they have been sent")
                        .raise();
            }
            var delivery = new DeliveryRow(
                    TimeOrderedIds.next(tx.now()),
                    webhook,
                    event.id(),
                    null,
                    TEST,
                    event.subject(),
                    body,
                    DeliveryState.PENDING,
                    0,
                    0,
                    false,
                    tx.now(),
                    null,
                    tx.now(),
                    tx.now());
            DeliveryRows.save(tx, List.of(delivery));
            note(tx, origin, "test", webhook, delivery.id().toString());
            return WebhookWire.show(delivery, null, null);
        });
    }

    private static FeedRow testEvent(ChangeOrigin origin, UUID webhook, Instant now) {
        return new FeedRow(
                TimeOrderedIds.next(now),
                0,
                TEST,
                origin.organizationId(),
                webhook.toString(),
                null,
                "admin",
                "{\"webhookId\":\"" + webhook + "\"}",
                now,
                origin.actor(),
                origin.caller().credential().name());
    }

    /// Replays the events of a period that match the webhook, after the events that it has not received yet. A
    /// replay that is already running ends.
    ///
    /// @throws ProblemException not-found; conflict if the webhook is disabled; validation-failed if the end is
    /// before the start; rate-limited if the organization has replayed too much today
    public Webhook replay(ChangeOrigin origin, UUID webhook, ReplayRequest request) {
        Access.whole(origin.caller());
        return database.write(tx -> {
            var row = enabled(tx, origin, webhook);
            var feed = new EventFeed(row.organizationId());
            long last = Math.min(row.progress().seq(), EventFeeds.last(tx, feed)); // later events are sent anyway
            long after = place(tx, feed, request.after());
            long before = request.before() == null ? Long.MAX_VALUE : place(tx, feed, request.before());
            if (after > before) {
                throw new Problem.ValidationFailed(List.of(
                                new Problem.FieldError("/before", "range", "\"before\" must not precede \"after\"")))
                        .raise();
            }
            long end = Math.min(last, before);
            count(row.organizationId(), end - after);
            if (after < end) {
                WebhookRows.progress(tx, webhook, row.progress().replaying(after, end));
            }
            note(tx, origin, "replay", webhook, after + " to " + end);
            return WebhookWire.show(Webhooks.find(tx, row.organizationId(), webhook), secrets, tx.now());
        });
    }

    /// Counts events that are replayed. More than those of a day take all of them.
    private void count(UUID organization, long events) {
        if (events <= 0) {
            return;
        }
        long wait = replays.take(organization, Math.min(events, REPLAYED_A_DAY));
        if (wait > 0) {
            throw new Problem.RateLimited(
                            Throttle.RATE,
                            "replays",
                            "the organization may replay " + REPLAYED_A_DAY
                                    + " events a day; replay fewer, or try again" + " in " + wait + " s",
                            wait)
                    .raise();
        }
    }

    /// Returns the sequence of the last event before this edge.
    private static long place(Tx tx, EventFeed feed, ReplayRequest.Edge edge) {
        return switch (edge) {
            case ReplayRequest.Place place -> place.seq();
            case ReplayRequest.Moment moment -> EventFeeds.lastUntil(tx, feed, moment.time());
        };
    }

    private static WebhookRow enabled(Tx tx, ChangeOrigin origin, UUID webhook) {
        var row = Webhooks.lock(tx, origin, webhook);
        if (!row.isEnabled()) {
            throw new Problem.Conflict("the webhook is disabled; enable it first").raise();
        }
        return row;
    }

    /// Deletes deliveries that are older than thirty days, in small transactions, so that other work is not
    /// delayed. May run on any number of nodes.
    public void sweep() {
        while (database.write(tx -> DeliveryRows.remove(tx, tx.now().minus(KEPT), AT_ONCE)) == AT_ONCE) {
            Thread.yield();
        }
    }

    private static void note(Tx tx, ChangeOrigin origin, String word, UUID webhook, String detail) {
        WebhookRows.unpause(tx, webhook);
        AuditRows.record(tx, origin, "webhook." + word, webhook.toString(), detail);
        tx.changed(
                new DataChange(DataChange.Kind.WEBHOOK, origin.organizationId().toString()));
    }
}
