package dev.sheaf.server.webhook;

import dev.sheaf.server.db.Database;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.Feeds;
import dev.sheaf.server.work.Turn;
import dev.sheaf.server.work.Worker;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Delivers the events of webhooks, each webhook in a turn of its own: in their order, one after the other, as
/// long as they are taken. Thread-safe.
public final class Courier implements Worker.Job {
    private final Database database;
    private final Feeds feeds;
    private final EventWire wire;
    private final Sender sender;
    private final AtomicLong edits = new AtomicLong();

    public Courier(Database database, Feeds feeds, EventWire wire, Sender sender) {
        this.database = database;
        this.feeds = feeds;
        this.wire = wire;
        this.sender = sender;
    }

    /// Says that somebody has changed a webhook, or has asked something of it.
    public void edited() {
        edits.incrementAndGet();
    }

    @Override
    public @Nullable Instant run(Turn turn) {
        var id = UUID.fromString(turn.name());
        var backlog = new Backlog(database, feeds, UUID.fromString(turn.owner()), id);
        try (var ledger = new Ledger(database, turn, id)) {
            return Round.run(this, turn, backlog, ledger);
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

    long edits() {
        return edits.get();
    }
}
