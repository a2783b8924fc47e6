package dev.sheaf.server.db.beat;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Tracks whether a node knows the changes of other nodes: whether their rows were just read, by itself or by a node
/// that told it, and whether notifications reach it. PostgreSQL wakes all listeners for each notification, so all nodes
/// share their reads, their beats and the number of messages per second. Thread-safe.
public final class Heartbeat {
    /// The time after the last read of the changes for which a node knows them.
    public static final Duration LIMIT = Duration.ofSeconds(2);

    /// The time after the last notification for which they count as arriving. The reads suffice to know the changes, so
    /// it is long: lack of processors delays the notifications of all nodes by seconds.
    public static final Duration SILENCE = Duration.ofSeconds(20);

    /// The silence after which a node sends a beat, if it is alone and if there are many nodes. With many, some node
    /// looks at its clock within milliseconds.
    private static final Duration ALONE = Duration.ofMillis(600);

    private static final Duration MANY = Duration.ofMillis(1_200);

    /// Messages of changes from all nodes together keep this distance, for each node that they wake. So they wake at
    /// most about 200 connections per second.
    private static final Duration EACH = Duration.ofMillis(5);

    /// The longest random time that is added between reads: the first of several nodes reads, and tells the others.
    private static final Duration SPREAD = Duration.ofMillis(600);

    /// How much later than expected a read may be before the database is asked whether it answers.
    private static final Duration LATE = Duration.ofMillis(150);

    /// How long a count of the nodes is used by the node that counted.
    private static final Duration COUNTED = Duration.ofMinutes(1);

    /// Any role of the database can send a beat, so a larger number is not believed.
    private static final int MOST = 1_000;

    private final LongSupplier nanos;
    private volatile int nodes = 1;
    private volatile @Nullable Long readAt;
    private volatile long spread;
    private volatile @Nullable Long heardAt;
    private volatile @Nullable Long toldAt;
    private volatile @Nullable Long countedAt;

    /// @param nanos a clock like [System#nanoTime]
    public Heartbeat(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /// Returns whether this node should count the listening nodes before its next beat.
    public boolean isCountDue() {
        return !isWithin(countedAt, COUNTED.toNanos());
    }

    /// Returns how many nodes listen, as far as this one knows.
    public int nodes() {
        return nodes;
    }

    /// Records the number of listening nodes.
    public void count(int listening) {
        nodes = Math.clamp(listening, 1, MOST);
        countedAt = nanos.getAsLong();
    }

    /// Returns the time between two reads of the changes: half a second, up to one second with many nodes.
    public Duration betweenReads() {
        return Duration.ofMillis(Math.clamp(nodes * 20L, 500, 1_000));
    }

    /// Returns the time until this node should read the changes, in nanoseconds; it is negative if it is late.
    public long untilRead() {
        Long last = readAt;
        return last == null ? 0 : last + betweenReads().toNanos() + spread - nanos.getAsLong();
    }

    /// Records that all changes were read that had been committed before `begin`.
    public void read(long begin) {
        Long last = readAt;
        if (last == null || begin - last > 0) {
            readAt = begin;
            spread = nodes == 1 ? 0 : spread(ThreadLocalRandom.current().nextDouble(), nodes);
        }
    }

    /// Returns a random time, in nanoseconds. Few of many nodes get a short one. So the first one can tell the others
    /// before the next one reads, too: with the same chance for each time, 100 nodes would read every 6 ms.
    static long spread(double random, int nodes) {
        return (long) (SPREAD.toNanos() * Math.max(0, 1 + Math.log(random) / Math.log(nodes)));
    }

    /// Returns the time until a read is so late that the database may not answer, in nanoseconds; 0 or less if it is.
    public long untilLate() {
        Long last = readAt;
        return last == null ? 0 : last + betweenReads().plus(LATE).toNanos() - nanos.getAsLong();
    }

    /// Records that a beat arrived, from any node.
    ///
    /// @param told the number of nodes; a number that cannot be is ignored
    public void heard(int told) {
        heard();
        if (told > 0) {
            nodes = Math.min(told, MOST);
        }
    }

    private void heard() {
        heardAt = nanos.getAsLong();
    }

    /// Records that a change arrived, from any node.
    public void told() {
        heard();
        toldAt = heardAt;
    }

    /// Returns whether no node has sent anything for so long that this one must.
    public boolean isDue() {
        long silence = MANY.toNanos() - MANY.minus(ALONE).toNanos() / nodes;
        return !isWithin(heardAt, silence);
    }

    /// Returns the nanoseconds during which a message of changes would wake all nodes too soon after the last one.
    public long untilTurn() {
        Long last = toldAt;
        return last == null ? 0 : Math.max(0, share() - (nanos.getAsLong() - last));
    }

    /// Returns the time between two messages of changes from all nodes together, in nanoseconds.
    public long share() {
        return nodes * EACH.toNanos();
    }

    /// Records that the connection on which changes arrive is closed.
    public void lost() {
        readAt = null;
        heardAt = null;
    }

    /// Returns whether this node knows the changes of other nodes.
    public boolean isCurrent() {
        return isWithin(readAt, LIMIT.toNanos()) && isHeard();
    }

    /// Returns whether notifications arrive.
    public boolean isHeard() {
        return isWithin(heardAt, SILENCE.toNanos());
    }

    private boolean isWithin(@Nullable Long then, long time) {
        return then != null && nanos.getAsLong() - then < time;
    }
}
