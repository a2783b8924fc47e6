package dev.sheaf.server.queue.job;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.wire.queue.QueueStats;
import dev.sheaf.server.queue.QueueRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Recent statistics of a queue. Thread-safe.
public final class QueueStatistics {
    /// The most jobs in a queue whose statistics are quick enough to be read every few seconds.
    public static final int QUICK = 10_000;

    private static final int SAMPLE = 10_000;
    private static final int CODES = 50;

    private final Database database;

    public QueueStatistics(Database database) {
        this.database = database;
    }

    private record Ended(
            Instant createdAt,
            @Nullable Instant notBefore,
            @Nullable Instant claimedAt,
            @Nullable Instant startedAt,
            Instant completedAt) {}

    private record Failed(String code, long count) {}

    /// @param window the length of the period, which ends now
    public QueueStats of(QueueRow queue, Duration window) {
        return database.read(tx -> of(tx, queue.id(), window));
    }

    private static QueueStats of(Tx tx, UUID queue, Duration window) {
        var since = tx.now().minus(window);
        long enqueued = tx.number(
                "SELECT count(*) FROM job WHERE queue_id = :queue AND id >= :first",
                "queue",
                queue,
                "first",
                TimeOrderedIds.edge(since));
        long finished = tx.number(
                "SELECT count(*) FROM job WHERE queue_id = :queue AND completed_at >= :since",
                "queue",
                queue,
                "since",
                since);
        var ended = ended(tx, queue, since);
        double minutes = window.toSeconds() / 60.0;
        return new QueueStats(
                window.toString(),
                enqueued,
                finished,
                enqueued / minutes,
                finished / minutes,
                times(waits(ended)),
                times(runs(ended)),
                failures(tx, queue, since),
                tx.find(
                                "SELECT created_at FROM job WHERE queue_id = :queue AND status = 'queued' ORDER BY id LIMIT 1",
                                Instant.class,
                                "queue",
                                queue)
                        .orElse(null),
                finished > ended.size());
    }

    private record Slot(long slot, long enqueued, long finished, long failed) {}

    /// Returns how jobs came and ended, in slots of equal length.
    ///
    /// @param window the length of the period, which ends now
    public QueueCourse course(QueueRow queue, Duration window, int slots) {
        return database.read(tx -> {
            var since = tx.now().minus(window);
            var slot = window.dividedBy(slots);
            var found = tx.list(
                    """
                    SELECT slot, count(*) AS enqueued, 0 AS finished, 0 AS failed FROM (
                        SELECT (created_at - :since) / :slot AS slot FROM job WHERE queue_id = :queue AND id >= :first) came
                    GROUP BY slot
                    UNION ALL
                    SELECT slot, 0, count(*), coalesce(sum(failed), 0) FROM (
                        SELECT (completed_at - :since) / :slot AS slot,
                               CASE WHEN status IN ('failed', 'dead') THEN 1 ELSE 0 END AS failed
                        FROM job WHERE queue_id = :queue AND completed_at >= :since) ended
                    GROUP BY slot
                    """,
                    Slot.class,
                    "queue",
                    queue.id(),
                    "first",
                    TimeOrderedIds.edge(since),
                    "since",
                    since,
                    "slot",
                    slot.toMillis());
            return new QueueCourse(
                    since,
                    slot,
                    counts(found, slots, Slot::enqueued),
                    counts(found, slots, Slot::finished),
                    counts(found, slots, Slot::failed));
        });
    }

    private static List<Long> counts(List<Slot> found, int slots, ToLongFunction<Slot> count) {
        var counts = new ArrayList<Long>(Collections.nCopies(slots, 0L));
        for (var slot : found) {
            int index = Math.clamp(slot.slot(), 0, slots - 1);
            counts.set(index, counts.get(index) + count.applyAsLong(slot));
        }
        return counts;
    }

    private static List<Ended> ended(Tx tx, UUID queue, Instant since) {
        return tx.list("""
                SELECT created_at, not_before, claimed_at, started_at, completed_at FROM job
                WHERE queue_id = :queue AND completed_at >= :since ORDER BY completed_at DESC LIMIT :limit
                """, Ended.class, "queue", queue, "since", since, "limit", SAMPLE);
    }

    /// Returns the times between the due times of jobs and their last claims, in milliseconds.
    private static List<Long> waits(List<Ended> ended) {
        var waits = new ArrayList<Long>();
        for (var job : ended) {
            if (job.claimedAt() != null) {
                var due = job.notBefore() == null ? job.createdAt() : job.notBefore();
                waits.add(Math.max(0, Duration.between(due, job.claimedAt()).toMillis()));
            }
        }
        return waits;
    }

    private static List<Long> runs(List<Ended> ended) {
        var runs = new ArrayList<Long>();
        for (var job : ended) {
            if (job.startedAt() != null) {
                runs.add(Duration.between(job.startedAt(), job.completedAt()).toMillis());
            }
        }
        return runs;
    }

    private static QueueStats.@Nullable Times times(List<Long> millis) {
        if (millis.isEmpty()) {
            return null;
        }
        var sorted = millis.stream().sorted().toList();
        return new QueueStats.Times(at(sorted, 50), at(sorted, 95));
    }

    private static long at(List<Long> sorted, int percent) {
        return sorted.get(Math.min(sorted.size() - 1, Math.ceilDiv(sorted.size() * percent, 100) - 1));
    }

    private static Map<String, Long> failures(Tx tx, UUID queue, Instant since) {
        var failures = new TreeMap<String, Long>();
        tx.list("""
                        SELECT coalesce(error_code, 'none') AS code, count(*) AS count FROM job
                        WHERE queue_id = :queue AND completed_at >= :since AND status IN ('failed', 'dead')
                        GROUP BY coalesce(error_code, 'none') ORDER BY count(*) DESC LIMIT :limit
                        """, Failed.class, "queue", queue, "since", since, "limit", CODES)
                .forEach(failed -> failures.put(failed.code(), failed.count()));
        return failures;
    }
}
