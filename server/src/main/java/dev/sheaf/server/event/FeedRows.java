package dev.sheaf.server.event;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The rows of the feeds: the numbers assigned so far, and events by number.
final class FeedRows {
    /// The extent of a feed.
    ///
    /// @param lastSeq the highest assigned number; 0 if none was assigned
    /// @param sweptSeq the highest number of a deleted event
    /// @param keptSeq up to this number, events are the same in all epochs
    /// @param epoch the epoch of all feeds; changed by each restore
    record Extent(long lastSeq, long sweptSeq, long keptSeq, long epoch) {
        /// Returns whether a reader can continue from the place without missing an event.
        boolean has(FeedPosition place) {
            return place.seq() >= sweptSeq && place.seq() <= (place.epoch() == epoch ? lastSeq : keptSeq);
        }
    }

    /// An event without a number.
    record Unnumbered(UUID id, UUID organizationId, boolean hub) {}

    /// The numbers of an event.
    record Numbers(UUID id, long seq, @Nullable Long hubSeq) {}

    /// An event to delete.
    record Old(
            UUID id,
            UUID organizationId,
            long seq,
            @Nullable Long hubSeq) {}

    private FeedRows() {}

    /// Returns when the oldest event without a number was written. Ids are in the order of time.
    static Optional<Instant> oldestUnnumbered(Tx tx) {
        return tx.first("SELECT created_at FROM event WHERE seq IS NULL ORDER BY id LIMIT 1", Instant.class);
    }

    static boolean isAnyUnnumbered(Tx tx) {
        return tx.has("SELECT 1 FROM event WHERE seq IS NULL LIMIT 1");
    }

    /// Allows only one transaction at a time to assign numbers or delete events; others wait until it has
    /// ended.
    static void lock(Tx tx) {
        tx.change("""
                        INSERT INTO event_feed (name, last_seq, swept_seq) VALUES (:hub, 0, 0)
                        ON CONFLICT (name) DO NOTHING
                        """, "hub", EventFeed.HUB.name());
        tx.has("SELECT 1 FROM event_feed WHERE name = :hub" + tx.dialect().forUpdate(), "hub", EventFeed.HUB.name());
    }

    /// Returns events without a number, oldest first.
    static List<Unnumbered> unnumbered(Tx tx, int limit) {
        return tx.list(
                "SELECT id, organization_id, hub FROM event WHERE seq IS NULL ORDER BY id LIMIT :limit",
                Unnumbered.class,
                "limit",
                limit);
    }

    /// Returns the highest number of each feed that has events.
    static Map<String, Long> last(Tx tx, Collection<String> feeds) {
        return tx.map(
                "SELECT name, last_seq FROM event_feed WHERE name IN (<feeds>)",
                String.class,
                Long.class,
                "feeds",
                feeds);
    }

    static void number(Tx tx, List<Numbers> events, Map<String, Long> last) {
        tx.each("UPDATE event SET seq = :seq, hub_seq = :hubSeq WHERE id = :id", events);
        tx.each("""
                INSERT INTO event_feed (name, last_seq, swept_seq) VALUES (:key, :value, 0)
                ON CONFLICT (name) DO UPDATE SET last_seq = excluded.last_seq
                """, last.entrySet());
    }

    static Extent extent(Tx tx, EventFeed feed) {
        return tx.first("""
                        SELECT coalesce(max(last_seq), 0) AS last_seq, coalesce(max(swept_seq), 0) AS swept_seq,
                               coalesce(max(kept_seq), 0) AS kept_seq,
                               coalesce((SELECT epoch FROM event_feed WHERE name = :hub), 0) AS epoch
                        FROM event_feed WHERE name = :name
                        """, Extent.class, "name", feed.name(), "hub", EventFeed.HUB.name())
                .orElseThrow();
    }

    /// Begins an epoch, in which numbers that were assigned before are assigned again.
    static void begin(Tx tx, long epoch) {
        lock(tx);
        tx.change("""
                UPDATE event_feed SET kept_seq = CASE
                    WHEN (SELECT epoch FROM event_feed WHERE name = :hub) <> 0 AND kept_seq < last_seq THEN kept_seq
                    ELSE last_seq END
                """, "hub", EventFeed.HUB.name());
        tx.change(
                "UPDATE event_feed SET epoch = :epoch WHERE name = :hub", "epoch", epoch, "hub", EventFeed.HUB.name());
    }

    /// Returns events after `after` up to `end`, in order.
    static List<FeedRow> list(Tx tx, EventFeed feed, EventFilter filter, long after, long end, int limit) {
        return list(tx, feed, filter, new Slice(feed.name(), after, end, limit), "");
    }

    /// Returns events after `after` up to `end`, newest first.
    static List<FeedRow> newest(Tx tx, EventFeed feed, EventFilter filter, long after, long end, int limit) {
        return list(tx, feed, filter, new Slice(feed.name(), after, end, limit), " DESC");
    }

    private record Slice(String feed, long after, long end, int limit) {}

    private static List<FeedRow> list(Tx tx, EventFeed feed, EventFilter filter, Slice slice, String order) {
        String seq = feed.organization() == null ? "hub_seq" : "seq";
        return tx.list(
                "SELECT id, " + seq + " AS seq, type, organization_id, subject, bundle, audience, data, created_at,"
                        + " actor, actor_name FROM event WHERE " + seq + " > :after AND " + seq + " <= :end"
                        + (feed.organization() == null ? "" : " AND organization_id = :feed") + filter.sql()
                        + " ORDER BY " + seq + order + " LIMIT :limit",
                FeedRow.class,
                slice,
                filter.values());
    }

    /// Returns the number of the last event of an organization up to a moment. Events are numbered approximately
    /// in order of time, so a binary search reads only a few of them.
    static long lastUntil(Tx tx, EventFeed feed, Instant moment) {
        var extent = extent(tx, feed);
        long before = extent.sweptSeq();
        long after = extent.lastSeq() + 1;
        while (after - before > 1) {
            long middle = before + (after - before) / 2;
            boolean isLater = tx.first(
                            "SELECT created_at FROM event WHERE organization_id = :feed AND seq >= :seq"
                                    + " ORDER BY seq LIMIT 1",
                            Instant.class,
                            "feed",
                            feed.name(),
                            "seq",
                            middle)
                    .filter(time -> !time.isAfter(moment))
                    .isEmpty();
            if (isLater) {
                after = middle;
            } else {
                before = middle;
            }
        }
        return before;
    }

    // --- deletion ---

    /// Returns events from before a moment, oldest first. The index has spans of ten minutes.
    static List<Old> old(Tx tx, Instant before, int limit) {
        return tx.list(
                """
                        SELECT id, organization_id, seq, hub_seq FROM event
                        WHERE id < :edge AND created_at / 600000 <= :span AND seq IS NOT NULL
                        ORDER BY created_at / 600000, id LIMIT :limit
                        """,
                Old.class,
                "edge",
                TimeOrderedIds.edge(before),
                "span",
                before.toEpochMilli() / 600_000,
                "limit",
                limit);
    }

    /// Deletes older events of jobs, wherever they are in their feeds.
    static int removeOfJobs(Tx tx, Instant before, int limit) {
        return tx.change("""
                        DELETE FROM event WHERE id IN (
                            SELECT id FROM event WHERE type LIKE 'job.%' AND id < :edge AND seq IS NOT NULL
                            ORDER BY id LIMIT :limit)
                        """, "edge", TimeOrderedIds.edge(before), "limit", limit);
    }

    static void remove(Tx tx, List<Old> events, Map<String, Long> swept) {
        tx.change(
                "DELETE FROM event WHERE id IN (<ids>)",
                "ids",
                events.stream().map(Old::id).toList());
        tx.each("UPDATE event_feed SET swept_seq = :value WHERE name = :key AND swept_seq < :value", swept.entrySet());
    }
}
