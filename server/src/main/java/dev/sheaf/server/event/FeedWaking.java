package dev.sheaf.server.event;

import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.InvalidatedCache;
import dev.sheaf.server.db.Tx;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Wakes what follows the events of organizations, such as webhooks and routes, when an event got its number or
/// somebody changed one of them. Thread-safe.
public final class FeedWaking {
    private static final Logger LOG = LoggerFactory.getLogger(FeedWaking.class);
    private static final int ORGANIZATIONS = 10_000;
    private static final String HUB = "hub"; // a feed of no organization

    private final Database database;
    private final Followers followers;
    private final InvalidatedCache<UUID, List<UUID>> enabled;

    /// One that follows.
    ///
    /// @param seq up to which event it has been looked at
    /// @param owed whether there is something else to do for it
    public record Following(UUID id, UUID organizationId, long seq, boolean owed) {}

    /// All of one kind that follow.
    public interface Followers {
        /// Those of an organization.
        List<UUID> of(Tx tx, UUID organization);

        /// Those of all organizations.
        List<Following> all(Tx tx);

        /// One may have something to do.
        void wake(UUID id, String organization);

        /// Somebody changed one of an organization.
        void edited(String organization);

        /// Anything may have happened.
        void missed();
    }

    public FeedWaking(Database database, Followers followers) {
        this.database = database;
        this.followers = followers;
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
                followers.edited(change.id());
                enabled.forgetAll();
                organization(change.id());
            }
            case EVERYTHING -> {
                followers.missed();
                enabled.forgetAll();
                Thread.ofVirtual().start(() -> quietly(this::wakeAll));
            }
            case REPOSITORY, NAMESPACE, API_KEY, ORGANIZATION, SESSION, TOKEN, PUBLISHER, SIGNING_KEY, QUEUE, EVENT -> {
                // no event, and nothing that follows them
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
                                organization, its -> Optional.of(database.read(tx -> followers.of(tx, its))))
                        .orElse(List.of())
                        .forEach(follower -> followers.wake(follower, id))));
    }

    private void wakeAll() {
        database.read(this::behind)
                .forEach(its -> followers.wake(its.id(), its.organizationId().toString()));
    }

    private List<Following> behind(Tx tx) {
        var last = new HashMap<UUID, Long>(); // event of each organization
        return followers.all(tx).stream()
                .filter(its -> its.owed()
                        || its.seq() < last.computeIfAbsent(its.organizationId(), id -> Feeds.last(tx, new Feed(id))))
                .toList();
    }

    private static void quietly(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.warn("what follows events was not told of new ones; the next event makes up for it", e);
        }
    }
}
