package dev.sheaf.engine.db;

import dev.sheaf.engine.db.outage.OutageTimer;
import dev.sheaf.engine.db.outage.RootCause;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads from the table of changes what other nodes have committed: twice a second, and at once after a hint (see
/// [ChangeHints]). Caches may be used while the last read is young. The reads take the same network path as
/// transactions, so they also tell first that the database does not answer, and how its clock differs from this one.
/// One thread and one connection.
final class ChangePoller implements AutoCloseable {
    /// The time after a read for which caches may be used.
    static final Duration TRUSTED = Duration.ofSeconds(2);
    /// The time after a read for which a node that is only slow stays ready.
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(ChangePoller.class);
    private static final long EVERY = TimeUnit.MILLISECONDS.toNanos(500);
    /// Between two reads that hints ask for, and between two hints of this node.
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(25);
    /// The longest time after which a node goes on where it stopped. Rows are kept for a minute, so none is gone.
    private static final Duration CATCH_UP = Duration.ofSeconds(30);

    private static final long KEPT = TimeUnit.MINUTES.toNanos(1);
    private static final int MAX = 10_000;
    private static final int PRUNED = 5_000;

    /// Selects rows that are visible now and were not in the previous snapshot. Transaction numbers beyond the
    /// snapshot come from another server, from which the rows were copied. The first column says which server
    /// answers, and since when. If one of its processes crashes, it recovers without a new start, but resets
    /// its statistics. It may then give the numbers of the last transactions again.
    private static final String LOOK = """
            SELECT pg_postmaster_start_time() || ' ' || COALESCE(CAST(pg_stat_get_bgwriter_stat_reset_time() AS TEXT), ''),
                   CAST(pg_current_snapshot() AS TEXT),
                   CAST(floor(extract(epoch FROM now()) * 1000) AS BIGINT),
                   ARRAY(SELECT DISTINCT a.change
                         FROM announcement a,
                              (SELECT CAST(COALESCE(?, CAST(pg_current_snapshot() AS TEXT)) AS pg_snapshot) AS seen) AS s
                         WHERE a.xact >= pg_snapshot_xmin(s.seen) AND NOT pg_visible_in_snapshot(a.xact, s.seen)
                         AND a.xact < pg_snapshot_xmax(pg_current_snapshot()) LIMIT ?)
            """;

    /// Deletes rows of transactions that had all ended in a snapshot of a minute ago: every node has read them, or has
    /// since dropped its caches. Also deletes rows copied from another server, whose transaction numbers mean
    /// nothing here.
    private static final String PRUNE = """
            DELETE FROM announcement WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM announcement
                WHERE xact < pg_snapshot_xmin(CAST(? AS pg_snapshot)) OR xact >= pg_snapshot_xmax(pg_current_snapshot())
                LIMIT ? FOR UPDATE SKIP LOCKED))
            """;

    private final PostgresDatabase.Settings settings;
    private final Consumer<DataChange> announce;
    private final Watcher watcher;
    private final String node = UUID.randomUUID().toString();
    private final Semaphore wake = new Semaphore(0);
    private final AtomicBoolean tells = new AtomicBoolean();
    private final Thread thread;
    private final OutageTimer outage = new OutageTimer();
    private volatile boolean closed;
    private volatile boolean down;
    private volatile long clockOffsetMillis;
    private volatile @Nullable Long readAt; // when the last read began
    private @Nullable Connection line;
    private @Nullable Seen seen; // null if changes may have been missed
    private @Nullable Seen prunable; // an old one, by which rows are deleted

    /// Receives the notice that the database stopped answering or is reachable again.
    interface Watcher {
        /// Called when the database does not answer and no new connection can be opened.
        void down();

        /// Returns whether transactions have been answered lately. Then the database is slow, not down.
        boolean isAnswered();

        /// Called after a new connection was opened, also after [#down]; earlier connections may be dead.
        void reconnected(boolean wasDown);
    }

    /// What a read saw.
    ///
    /// @param server which server answered, and when it started
    /// @param snapshot its `pg_current_snapshot`
    /// @param millis the time of the database
    /// @param begin when the read began, by [System#nanoTime]
    private record Seen(String server, String snapshot, long millis, long begin) {
        /// Returns whether nothing is missing between the two. One of the clocks may have stood still with its machine.
        boolean continuesTo(Seen next) {
            return server.equals(next.server)
                    && next.begin - begin < CATCH_UP.toNanos()
                    && Math.abs(next.millis - millis) < CATCH_UP.toMillis();
        }
    }

    ChangePoller(PostgresDatabase.Settings settings, Consumer<DataChange> announce, Watcher watcher) {
        this.settings = settings;
        this.announce = announce;
        this.watcher = watcher;
        this.thread = Thread.ofPlatform().name("changes").daemon().unstarted(this::run);
    }

    /// Reads for the first time, and from then on. If that fails, it goes on to try.
    void start() {
        quietly();
        thread.start();
    }

    /// Returns whether the database is known not to answer, so that callers need not wait for a timeout.
    boolean isDown() {
        return down;
    }

    /// Returns whether the last read began less than `limit` ago.
    boolean hasRead(Duration limit) {
        Long last = readAt;
        return last != null && System.nanoTime() - last < limit.toNanos();
    }

    long clockOffsetMillis() {
        return clockOffsetMillis;
    }

    /// Reads soon, because of a hint.
    ///
    /// @param from the node that sent it
    void hinted(String from) {
        if (!from.equals(node)) {
            wake.release();
        }
    }

    /// Lets other nodes know that this one has committed changes. Does not wait.
    void tell() {
        tells.set(true);
        wake.release();
    }

    private void run() {
        try {
            for (long last = System.nanoTime(); !closed; last = System.nanoTime()) {
                if (wake.tryAcquire(EVERY, TimeUnit.NANOSECONDS)) {
                    long left = last + PAUSE - System.nanoTime();
                    TimeUnit.NANOSECONDS.sleep(left); // further hints join this one
                    wake.drainPermits();
                }
                quietly();
            }
        } catch (InterruptedException e) {
            LOG.debug("closed", e);
        } finally {
            drop();
        }
    }

    private void quietly() {
        try {
            poll();
        } catch (RuntimeException | Error e) { // without this thread the node would never be ready again
            seen = null;
            LOG.error("a read of the table of changes failed", e);
        }
    }

    private void poll() {
        try {
            tryPoll();
        } catch (SQLException e) {
            drop();
            if (!closed) {
                again(e);
            }
        }
    }

    private void again(SQLException cause) {
        boolean wasDown = down;
        try {
            tryPoll();
            if (!wasDown) {
                LOG.info("the connection to the database broke and was made again: {}", RootCause.of(cause));
                watcher.reconnected(false);
            }
        } catch (SQLException e) {
            drop();
            if (!down && !PostgresFailures.isRefusal(e) && watcher.isAnswered()) {
                LOG.warn(
                        "the database is slow: it answers transactions, but tells no changes in time: {}",
                        RootCause.of(e));
            } else if (!down && !PostgresFailures.isFull(e)) {
                LOG.error(
                        "the database does not answer; requests that need it are refused until it does: {}",
                        RootCause.of(e));
                LOG.debug("where it did not answer", e);
                outage.begins();
                down = true;
                watcher.down();
            }
        }
    }

    private void tryPoll() throws SQLException {
        var connection = line();
        if (tells.getAndSet(false)) {
            ChangeHints.send(connection, settings, node);
        }
        look(connection);
        prune(connection);
        if (down) {
            LOG.info("the database answers again, after {}", outage.lasted());
            watcher.reconnected(true);
            down = false;
        }
    }

    private Connection line() throws SQLException {
        var open = line;
        if (open == null) {
            open = PostgresLines.brief(settings);
            line = open;
        }
        return open;
    }

    /// Announces what was committed since the last read; everything if that is unknown.
    private void look(Connection connection) throws SQLException {
        long before = System.currentTimeMillis();
        long begin = System.nanoTime();
        var last = seen;
        try (var statement = connection.prepareStatement(LOOK)) {
            statement.setString(1, last == null ? null : last.snapshot());
            statement.setInt(2, MAX + 1);
            try (var rows = statement.executeQuery()) {
                rows.next();
                var next = new Seen(rows.getString(1), rows.getString(2), rows.getLong(3), begin);
                var changes = decoded(rows.getArray(4));
                clockOffsetMillis = offset(clockOffsetMillis, before, next.millis(), System.currentTimeMillis());
                if (last != null && last.continuesTo(next)) {
                    changes.forEach(announce);
                } else {
                    prunable = null;
                    announce.accept(DataChange.EVERYTHING);
                }
                seen = next;
                readAt = begin;
            }
        }
    }

    private static List<DataChange> decoded(Array array) throws SQLException {
        var changes = (String[]) array.getArray();
        return changes.length > MAX
                ? List.of(DataChange.EVERYTHING)
                : Arrays.stream(changes).map(DataChange::decode).toList();
    }

    /// Returns the clock difference in milliseconds after one more measurement. The known difference changes
    /// only if the measurement disproves it: the uncertainty of each round trip would make the time jump back
    /// and forth between calls.
    ///
    /// @param there the database's time, read between `before` and `after` by this machine's clock
    static long offset(long kept, long before, long there, long after) {
        return Math.clamp(kept, there - after - 1, there - before + 1); // 1: each is rounded
    }

    /// Deletes a batch of old rows, once a minute or until there are no more.
    private void prune(Connection connection) throws SQLException {
        var old = prunable;
        if (old == null) {
            prunable = seen;
        } else if (System.nanoTime() - old.begin() > KEPT && prune(connection, old.snapshot()) < PRUNED) {
            prunable = seen;
        }
    }

    /// Deletes a batch of rows of transactions that had ended in a snapshot, with all before them. Returns how many.
    static int prune(Connection connection, String snapshot) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PRUNE)) {
            statement.setString(1, snapshot);
            statement.setInt(2, PRUNED);
            return statement.executeUpdate();
        }
    }

    private void drop() {
        var open = line;
        line = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                LOG.debug("it was broken", e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        wake.release();
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
