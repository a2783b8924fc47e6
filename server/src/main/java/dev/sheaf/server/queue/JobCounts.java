package dev.sheaf.server.queue;

import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.wire.queue.Queue;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Keeps the number of jobs in each state without counting them: each transaction adds its changes. The sums
/// are split into several shards, so that transactions of one queue seldom wait for each other. All
/// transactions write their rows in the same order, which prevents deadlocks.
public final class JobCounts implements Tx.Gathering {
    private static final int SHARDS = 16;
    private static final int AT_ONCE = 8;
    private static final List<String> ADDITIONS =
            IntStream.rangeClosed(1, AT_ONCE).mapToObj(JobCounts::addition).toList();

    private static final String WAITING = "waiting"; // in all queues of an organization

    private record Key(String scope, String status) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int order = scope.compareTo(other.scope);
            return order != 0 ? order : status.compareTo(other.status);
        }
    }

    private final Map<Key, Long> changes = new TreeMap<>();

    private JobCounts() {}

    /// Records that a queue has this many more jobs in a state; fewer jobs if `more` is negative.
    public static void add(Tx tx, UUID organization, UUID queue, JobState state, long more) {
        var counts = tx.gather(JobCounts.class, JobCounts::new);
        counts.changes.merge(new Key(queue.toString(), state.toString()), more, Long::sum);
        if (state.isWaiting()) {
            counts.changes.merge(new Key(organization.toString(), WAITING), more, Long::sum);
        }
    }

    /// Records that this many jobs moved from one state to another.
    public static void move(Tx tx, UUID organization, UUID queue, JobState from, JobState to, long count) {
        if (from != to && count != 0) {
            add(tx, organization, queue, from, -count);
            add(tx, organization, queue, to, count);
        }
    }

    @Override
    public void settle(Tx tx) {
        long shard = tx.dialect() == SqlDialect.SQLITE
                ? 0
                : ThreadLocalRandom.current().nextInt(SHARDS);
        var rows = changes.entrySet().stream()
                .filter(entry -> entry.getValue() != 0)
                .toList();
        for (int from = 0; from < rows.size(); from += AT_ONCE) {
            add(tx, shard, rows.subList(from, Math.min(rows.size(), from + AT_ONCE)));
        }
    }

    private static void add(Tx tx, long shard, List<Map.Entry<Key, Long>> rows) {
        var values = new HashMap<String, Object>();
        values.put("shard", shard);
        for (int i = 0; i < rows.size(); i++) {
            values.put("scope" + i, rows.get(i).getKey().scope());
            values.put("status" + i, rows.get(i).getKey().status());
            values.put("more" + i, rows.get(i).getValue());
        }
        tx.later(ADDITIONS.get(rows.size() - 1), values);
    }

    private static String addition(int rows) {
        return IntStream.range(0, rows)
                .mapToObj(i -> "(:scope" + i + ", :status" + i + ", :shard, :more" + i + ")")
                .collect(Collectors.joining(
                        ", ", "INSERT INTO job_count (scope_id, status, shard, count) VALUES ", """

                        ON CONFLICT (scope_id, status, shard) DO UPDATE SET count = job_count.count + excluded.count
                        """));
    }

    @Override
    public JobCounts copy() {
        var copy = new JobCounts();
        copy.changes.putAll(changes);
        return copy;
    }

    private record Sum(String scopeId, String status, long count) {}

    /// Returns the counts of each queue.
    public static Map<UUID, Map<JobState, Long>> of(Tx tx, Collection<UUID> queues) {
        var sums = tx.list("""
                SELECT scope_id, status, sum(count) AS count FROM job_count WHERE scope_id IN (<queues>)
                GROUP BY scope_id, status
                """, Sum.class, "queues", queues);
        var all = new HashMap<UUID, Map<JobState, Long>>();
        queues.forEach(queue -> all.put(queue, new EnumMap<>(JobState.class)));
        sums.forEach(sum -> all.computeIfAbsent(UUID.fromString(sum.scopeId()), queue -> new EnumMap<>(JobState.class))
                .put(JobState.parse(sum.status()), sum.count()));
        return all;
    }

    /// Returns the number of jobs of all organizations in each state.
    public static Map<JobState, Long> all(Tx tx) {
        return tx.map("""
                SELECT status, sum(count) FROM job_count WHERE status <> 'waiting' GROUP BY status
                """, JobState.class, Long.class);
    }

    /// Returns the number of jobs in each state, over all organizations, by the name of the state.
    public static Map<String, Double> byState(Tx tx) {
        var counts = all(tx);
        return Arrays.stream(JobState.values()).collect(Collectors.toMap(JobState::toString, state ->
                (double) Math.max(0, counts.getOrDefault(state, 0L))));
    }

    /// A queue and its jobs that wait for a worker or for a person.
    public record Depth(UUID organizationId, String slug, long waiting) {}

    /// Returns the queues of all organizations with the most jobs that a worker can claim.
    public static List<Depth> deepest(Tx tx, int limit) {
        return tx.list("""
                SELECT queue.organization_id, queue.slug, sum(job_count.count) AS waiting
                FROM job_count JOIN queue ON queue.id = job_count.scope_id WHERE job_count.status = 'queued'
                GROUP BY queue.organization_id, queue.slug HAVING sum(job_count.count) > 0
                ORDER BY sum(job_count.count) DESC, queue.slug LIMIT :limit
                """, Depth.class, "limit", limit);
    }

    /// Returns the queues of an organization with the most jobs whose attempts are used up.
    static List<Depth> dead(Tx tx, UUID organization, int limit) {
        return tx.list("""
                SELECT queue.organization_id, queue.slug, sum(job_count.count) AS waiting
                FROM queue JOIN job_count ON job_count.scope_id = queue.id
                WHERE queue.organization_id = :organization AND job_count.status = 'dead'
                GROUP BY queue.organization_id, queue.slug HAVING sum(job_count.count) > 0
                ORDER BY sum(job_count.count) DESC, queue.slug LIMIT :limit
                """, Depth.class, "organization", organization, "limit", limit);
    }

    /// Deletes the counts of a queue that is deleted.
    public static void forget(Tx tx, UUID queue) {
        tx.change("DELETE FROM job_count WHERE scope_id = :queue", "queue", queue);
    }

    static Queue.Counts toWire(Map<JobState, Long> counts) {
        return new Queue.Counts(
                count(counts, JobState.QUEUED),
                count(counts, JobState.SCHEDULED),
                count(counts, JobState.CLAIMED),
                count(counts, JobState.RUNNING),
                count(counts, JobState.COMPLETED),
                count(counts, JobState.FAILED),
                count(counts, JobState.DEAD),
                count(counts, JobState.CANCELLED));
    }

    private static long count(Map<JobState, Long> counts, JobState state) {
        return Math.max(0, counts.getOrDefault(state, 0L));
    }
}
