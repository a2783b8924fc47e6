package dev.sheaf.server.webhook;

import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.InvalidatedCache;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.event.Feed;
import dev.sheaf.server.event.Feeds;
import dev.sheaf.server.work.Worker;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the worker of webhooks that may have something to deliver: an event of their organization got its
/// number, or somebody asked for something. Thread-safe.
public final class Waking {
    private static final Logger LOG = LoggerFactory.getLogger(Waking.class);
    private static final int ORGANIZATIONS = 10_000;
    private static final String HUB = "hub"; // a feed of no organization

    private final Database database;
    private final Worker worker;
    private final Courier courier;
    private final InvalidatedCache<UUID, List<UUID>> enabled;

    public Waking(Database database, Worker worker, Courier courier) {
        this.database = database;
        this.worker = worker;
        this.courier = courier;
        this.enabled = new InvalidatedCache<>(database, ORGANIZATIONS);
    }

    /// From now on; and for what may have been missed while no node ran.
    public void begin() {
        database.onChange(this::changed);
        Thread.ofVirtual().start(() -> quietly(this::wakeAll));
    }

    private void changed(Change change) {
        switch (change.kind()) {
            case FEED -> organization(change.id());
            case WEBHOOK -> {
                courier.edited(change.id());
                enabled.forgetAll();
                organization(change.id());
            }
            case EVERYTHING -> {
                courier.edited();
                enabled.forgetAll();
                worker.look();
                Thread.ofVirtual().start(() -> quietly(this::wakeAll));
            }
            case REPOSITORY, NAMESPACE, API_KEY, ORGANIZATION, SESSION, TOKEN, PUBLISHER, SIGNING_KEY, QUEUE, EVENT -> {
                // nothing that is sent
            }
        }
    }

    /// On a thread of its own: whoever tells of changes does not wait for the database.
    private void organization(String id) {
        if (id.equals(HUB)) {
            return;
        }
        var organization = UUID.fromString(id);
        Thread.ofVirtual()
                .start(() -> quietly(() -> enabled.get(
                                organization, its -> Optional.of(database.read(tx -> WebhookRows.enabled(tx, its))))
                        .orElse(List.of())
                        .forEach(webhook -> worker.wake(webhook.toString(), id))));
    }

    private void wakeAll() {
        database.read(Waking::behind)
                .forEach(webhook -> worker.wake(
                        webhook.id().toString(), webhook.organizationId().toString()));
    }

    private static List<WebhookRows.Enabled> behind(Tx tx) {
        var last = new HashMap<UUID, Long>(); // event of each organization
        return WebhookRows.enabled(tx).stream()
                .filter(its -> its.owed()
                        || its.seq() < last.computeIfAbsent(its.organizationId(), id -> Feeds.last(tx, new Feed(id))))
                .toList();
    }

    private static void quietly(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.warn("webhooks were not told of new events; the next event makes up for it", e);
        }
    }
}
