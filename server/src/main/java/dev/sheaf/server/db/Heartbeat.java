package dev.sheaf.server.db;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Tracks whether a node knows the changes of other nodes: whether it has just read their rows, and whether
/// notifications reach it. PostgreSQL wakes all listeners for each notification, so all nodes share their beats and
/// share the number of messages per second. Thread-safe.
final class Heartbeat {
    /// The time after the last read, and after the last notification, for which they count as working.
    static final Duration LIMIT = Duration.ofSeconds(2);

    /// The silence after which a node sends a beat, if it is alone and if there are many nodes. With many, some node
    /// looks at its clock within milliseconds.
    private static final Duration ALONE = Duration.ofMillis(600);

    private static final Duration MANY = Duration.ofMillis(1_200);

    /// Messages of changes from all nodes together keep this distance, for each node that they wake. So they wake at
    /// most about 300 connections per second.
    private static final Duration EACH = Duration.ofMillis(3);

    /// How long a count of the nodes is used by the node that counted.
    private static final Duration COUNTED = Duration.ofMinutes(1);

    /// Any role of the database can send a beat, so a larger number is not believed.
    private static final int MOST = 1_000;

    private final LongSupplier nanos;
    private volatile int nodes = 1;
    private volatile @Nullable Long readAt;
    private volatile @Nullable Long heardAt;
    private volatile @Nullable Long toldAt;
    private volatile @Nullable Long countedAt;

    /// @param nanos a clock like [System#nanoTime]
    Heartbeat(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /// Returns whether this node should count the listening nodes before its next beat.
    boolean isCountDue() {
        return !isWithin(countedAt, COUNTED.toNanos());
    }

    /// Returns a beat, which tells all nodes how many listen.
    String beat() {
        return String.valueOf(nodes);
    }

    /// Records the number of listening nodes.
    void count(int listening) {
        nodes = Math.clamp(listening, 1, MOST);
        countedAt = nanos.getAsLong();
    }

    /// Returns the time between two reads of the changes: half a second, up to one second with many nodes.
    Duration betweenReads() {
        return Duration.ofMillis(Math.clamp(nodes * 20L, 500, 1_000));
    }

    /// Records that all changes were read that had been committed before `begin`.
    void read(long begin) {
        readAt = begin;
    }

    /// Records that a beat arrived, from any node.
    void heard(String beat) {
        heard();
        if (beat.matches("[0-9]{1,6}")) {
            nodes = Math.clamp(Integer.parseInt(beat), 1, MOST);
        }
    }

    private void heard() {
        heardAt = nanos.getAsLong();
    }

    /// Records that a change arrived, from any node.
    void told() {
        heard();
        toldAt = heardAt;
    }

    /// Returns whether no node has sent anything for so long that this one must.
    boolean isDue() {
        long silence = MANY.toNanos() - MANY.minus(ALONE).toNanos() / nodes;
        return !isWithin(heardAt, silence);
    }

    /// Returns the nanoseconds during which a message of changes would wake all nodes too soon after the last one.
    long untilTurn() {
        Long last = toldAt;
        return last == null ? 0 : Math.max(0, share() - (nanos.getAsLong() - last));
    }

    /// Returns the time between two messages of changes from all nodes together, in nanoseconds.
    long share() {
        return nodes * EACH.toNanos();
    }

    /// Records that the connection on which changes arrive is closed.
    void lost() {
        readAt = null;
        heardAt = null;
    }

    boolean isCurrent() {
        return isWithin(readAt, LIMIT.toNanos()) && isWithin(heardAt, LIMIT.toNanos());
    }

    private boolean isWithin(@Nullable Long then, long time) {
        return then != null && nanos.getAsLong() - then < time;
    }
}
