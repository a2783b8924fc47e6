package dev.sheaf.server.webhook;

import dev.sheaf.server.db.Database;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.Feeds;
import dev.sheaf.server.work.Turn;
import dev.sheaf.server.work.Worker;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/// Delivers the events of webhooks, each webhook in a turn of its own: in their order, one after the other, as
/// long as they are taken. Thread-safe.
public final class Courier implements Worker.Job {
    private static final int WRITES_AT_ONCE = 2;

    private final Database database;
    private final Feeds feeds;
    private final EventWire wire;
    private final Sender sender;
    private final Scribe scribe;
    /// By the hash of the organization: who edits often holds few others up.
    private final AtomicLongArray edits = new AtomicLongArray(1_024);

    public Courier(Database database, Feeds feeds, EventWire wire, Sender sender) {
        this.database = database;
        this.feeds = feeds;
        this.wire = wire;
        this.sender = sender;
        this.scribe = new Scribe(database, WRITES_AT_ONCE);
    }

    /// Says that somebody has changed a webhook of that organization, or has asked something of one.
    void edited(String organization) {
        edits.incrementAndGet(slot(organization));
    }

    /// Says that any may have been changed.
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
            return database.now(); // of no effect, since it is another node's, or gone
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
