package dev.sheaf.server.webhook;

import dev.sheaf.server.db.Database;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.FeedRow;
import dev.sheaf.server.event.Feeds;
import dev.sheaf.server.work.Turn;
import dev.sheaf.server.work.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Delivers the events of webhooks. Each webhook has its own turns. Its events are sent in order, one at a
/// time, as long as the receiver accepts them. Thread-safe.
public final class Courier implements Worker.Job {
    private static final int WRITES_AT_ONCE = 2;

    private final Database database;
    private final Feeds feeds;
    private final EventWire wire;
    private final Sender sender;
    private final Scribe scribe;
    /// Counts edits by the hash of the organization, so frequent edits delay few other organizations.
    private final AtomicLongArray edits = new AtomicLongArray(1_024);

    private final LongConsumer lags;

    /// @param lags receives how long each event waited for its first attempt, in nanoseconds; not of webhooks that
    /// fail, replay or have a rate, whose events wait on purpose
    public Courier(Database database, Feeds feeds, EventWire wire, Sender sender, LongConsumer lags) {
        this.database = database;
        this.feeds = feeds;
        this.wire = wire;
        this.sender = sender;
        this.lags = lags;
        this.scribe = new Scribe(database, WRITES_AT_ONCE);
    }

    /// Notes that a webhook of the organization was changed, or that a test, retry or replay was requested.
    void edited(String organization) {
        edits.incrementAndGet(slot(organization));
    }

    /// Notes that any webhook may have been changed.
    void edited() {
        for (int slot = 0; slot < edits.length(); slot++) {
            edits.incrementAndGet(slot);
        }
    }

    private int slot(String organization) {
        return Math.floorMod(organization.hashCode(), edits.length());
    }

    @Override
    public @Nullable Instant run(Turn turn) {
        var id = UUID.fromString(turn.name());
        try (var backlog = new Backlog(database, feeds, UUID.fromString(turn.owner()), id)) {
            return Round.run(this, turn, backlog, new Ledger(scribe, turn, id));
        } catch (Ledger.LostTurnException e) {
            return database.now(); // has no effect: another node holds the webhook, or it was deleted
        }
    }

    /// Notes the first attempt to deliver an event.
    void begins(WebhookRow webhook, Progress progress, FeedRow event, Instant now) {
        if (progress.failingSince() == null && progress.replayEnd() == null && webhook.rate() == null) {
            lags.accept(Duration.between(event.createdAt(), now).toNanos());
        }
    }

    Database database() {
        return database;
    }

    EventWire wire() {
        return wire;
    }

    Sender sender() {
        return sender;
    }

    long edits(String organization) {
        return edits.get(slot(organization));
    }
}
