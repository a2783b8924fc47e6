package dev.sheaf.server.event;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.work.Worker;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.heap.HeapShare;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Announces work for the followers of an organization's events, such as webhooks and routes, when an event gets its
/// number or a follower changes. Each follower is a piece of work with its id as the name. Thread-safe.
public final class FeedWaking {
    private static final Logger LOG = LoggerFactory.getLogger(FeedWaking.class);
    private static final int ORGANIZATIONS = HeapShare.FEEDS.entries(3, 500 + HeapShare.ENTRY);
    private static final String ALL = "";
    private static final String HUB = "hub"; // the feed that belongs to no organization

    private final Database database;
    private final Worker worker;
    private final Followers followers;
    private final InvalidatedCache<UUID, List<UUID>> enabled;
    /// Most organizations have no followers. Each node of many would ask the database about each of them.
    private final InvalidatedCache<String, Set<UUID>> followed;

    /// A follower.
    ///
    /// @param seq the last event that it has handled
    /// @param owed whether it has other work
    public record Following(UUID id, UUID organizationId, long seq, boolean owed) {}

    /// All followers of one kind.
    public interface Followers {
        /// Returns the followers of an organization.
        List<UUID> of(Tx tx, UUID organization);

        /// Returns the organizations that have followers.
        List<UUID> organizations(Tx tx);

        /// Returns the followers of all organizations.
        List<Following> all(Tx tx);
    }

    public FeedWaking(Database database, Worker worker, Followers followers) {
        this.database = database;
        this.worker = worker;
        this.followers = followers;
        this.enabled = new InvalidatedCache<>(database, "followers", ORGANIZATIONS);
        this.followed = new InvalidatedCache<>(database, "followed", 1);
    }

    /// Starts waking, including followers that missed events while no node was running.
    public void begin() {
        database.onChange(this::changed);
        separately(this::wakeAll);
    }

    private void changed(DataChange change) {
        switch (change.kind()) {
            case FEED -> organization(change.id());
            case WEBHOOK -> {
                worker.changed(change.id());
                enabled.forgetAll();
                followed.forgetAll();
                organization(change.id());
            }
            case EVERYTHING -> {
                worker.changed(null);
                worker.look();
                enabled.forgetAll();
                followed.forgetAll();
                separately(this::wakeAll);
            }
            case REPOSITORY, NAMESPACE, API_KEY, ORGANIZATION, SESSION, TOKEN, PUBLISHER, SIGNING_KEY, QUEUE, EVENT -> {
                // neither events nor followers
            }
        }
    }

    /// Runs work on a separate thread, because listeners of changes must not wait for the database.
    private static void separately(Runnable work) {
        Thread.ofVirtual().name("feed-waking").start(() -> quietly(work));
    }

    private void organization(String id) {
        if (id.equals(HUB)) {
            return;
        }
        var organization = UUID.fromString(id);
        separately(() -> followersOf(organization).forEach(follower -> worker.wake(follower.toString(), id)));
    }

    private List<UUID> followersOf(UUID organization) {
        var all = followed.get(ALL, key -> Optional.of(Set.copyOf(database.read(followers::organizations))));
        return all.orElseThrow().contains(organization)
                ? enabled.get(organization, its -> Optional.of(database.read(tx -> followers.of(tx, its))))
                        .orElse(List.of())
                : List.of();
    }

    private void wakeAll() {
        database.read(this::behind)
                .forEach(its ->
                        worker.wake(its.id().toString(), its.organizationId().toString()));
    }

    private List<Following> behind(Tx tx) {
        var last = new HashMap<UUID, Long>(); // last event number per organization
        return followers.all(tx).stream()
                .filter(its -> its.owed()
                        || its.seq()
                                < last.computeIfAbsent(
                                        its.organizationId(), id -> EventFeeds.last(tx, new EventFeed(id))))
                .toList();
    }

    private static void quietly(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.atLevel(ProblemException.isUnavailable(e) ? Level.DEBUG : Level.WARN)
                    .setCause(e)
                    .log("followers of events were not notified of new ones; the next event notifies them");
        }
    }
}
