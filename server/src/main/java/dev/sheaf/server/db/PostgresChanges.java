package dev.sheaf.server.db;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Receives the changes that other nodes commit, on its own connection: immediately by LISTEN, and once or twice a
/// second by reading the rows committed since the last read, because a node may die after its commit and before
/// its NOTIFY. Also measures the difference between the clocks of this machine and the database.
final class PostgresChanges implements AutoCloseable {
    /// The channel on which changes are sent, one per message.
    static final String CHANNEL = "sheaf_changes";
    /// The channel on which nodes notice that notifications arrive.
    static final String BEATS = "sheaf_beats";

    private static final Logger LOG = LoggerFactory.getLogger(PostgresChanges.class);
    private static final int WAIT_MILLIS = 250;
    private static final int MAX = 10_000;

    /// The maximum age of a snapshot from which this node catches up. Rows are kept for a minute, so all later
    /// rows still exist.
    private static final long CATCH_UP_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final String STARTED = "SELECT CAST(pg_postmaster_start_time() AS TEXT)";

    /// Selects rows that are visible now and were not in the previous snapshot. Transaction numbers beyond the
    /// snapshot come from another server, from which the rows were copied.
    private static final String LOOK = """
            SELECT CAST(pg_current_snapshot() AS TEXT),
                   CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT),
                   ARRAY(SELECT DISTINCT a.change
                         FROM announcement a,
                              (SELECT CAST(COALESCE(?, CAST(pg_current_snapshot() AS TEXT)) AS pg_snapshot) AS seen) AS s
                         WHERE a.xact >= pg_snapshot_xmin(s.seen) AND NOT pg_visible_in_snapshot(a.xact, s.seen)
                         AND a.xact < pg_snapshot_xmax(pg_current_snapshot()) LIMIT ?)
            """;

    private final PostgresDatabase.Settings settings;
    private final Heartbeat heartbeat;
    private final Consumer<Change> announce;
    private final Runnable listening;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch first = new CountDownLatch(1);
    private final Thread thread;
    private volatile long clockOffsetMillis;
    private @Nullable String seen; // the last snapshot; null if changes may have been missed since
    private long seenAt;
    private long seenMillis; // by the clock of the database
    private String server = "";
    private boolean logged = true; // whether the log last said that changes are received; assumed at the start

    /// @param listening called when it begins to listen
    PostgresChanges(
            PostgresDatabase.Settings settings, Heartbeat heartbeat, Consumer<Change> announce, Runnable listening) {
        this.settings = settings;
        this.heartbeat = heartbeat;
        this.announce = announce;
        this.listening = listening;
        this.thread = Thread.ofPlatform().name("postgres-changes").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    long clockOffsetMillis() {
        return clockOffsetMillis;
    }

    /// Waits until changes are received for the first time, at most four seconds.
    void awaitFirst() {
        await(first, TimeUnit.SECONDS.toMillis(4));
    }

    private void run() {
        while (closed.getCount() > 0) {
            try (Connection connection = PostgresLines.listener(settings);
                    var statement = connection.createStatement()) {
                statement.execute("LISTEN " + CHANNEL + "; LISTEN " + BEATS);
                catchUp(connection);
                listening.run();
                hear(connection);
            } catch (SQLException e) {
                broke(e);
                // any failure: without this thread the node would never receive changes again
            } catch (RuntimeException e) {
                seen = null;
                broke(e);
            }
        }
    }

    private void broke(Exception e) {
        heartbeat.lost();
        logState("the connection for notifications broke: " + e);
        await(closed, 500);
    }

    /// Reads the changes since the last connection broke. If their rows may be gone, or the database has restarted
    /// and may have lost commits, clears the caches instead.
    private void catchUp(Connection connection) throws SQLException {
        String before = server;
        server = started(connection);
        if (!server.equals(before) || System.nanoTime() - seenAt > CATCH_UP_NANOS) {
            seen = null;
        }
        boolean goesOn = seen != null;
        look(connection);
        if (!goesOn) { // nothing was heard yet, so no cache is used before this
            announce.accept(Change.EVERYTHING);
        }
    }

    private static String started(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(STARTED)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private void hear(Connection connection) throws SQLException {
        var postgres = connection.unwrap(PGConnection.class);
        long begin = System.nanoTime();
        long looked = begin;
        while (closed.getCount() > 0) {
            long left = heartbeat
                    .betweenReads()
                    .minusNanos(System.nanoTime() - looked)
                    .toMillis();
            for (var notification : postgres.getNotifications(Math.clamp(left, 1, WAIT_MILLIS))) {
                if (notification.getName().equals(BEATS)) {
                    heartbeat.heard(notification.getParameter());
                } else {
                    heartbeat.told();
                    told(notification.getParameter());
                }
            }
            long now = System.nanoTime();
            if (now - looked >= heartbeat.betweenReads().toNanos()) {
                look(connection);
                looked = now;
            }
            if (heartbeat.isCurrent() || now - begin > Heartbeat.LIMIT.toNanos()) {
                logState("notifications (NOTIFY) of PostgreSQL do not arrive. If a pooler in transaction mode is in"
                        + " front of it, set postgres-listen-url to an address that bypasses the pooler");
            }
        }
    }

    /// Announces a change. Any role of the database can send one, so its text may be wrong.
    private void told(String change) {
        try {
            announce.accept(Change.decode(change));
        } catch (RuntimeException e) {
            LOG.warn("a notification is no change of this program; all caches are cleared", e);
            announce.accept(Change.EVERYTHING);
        }
    }

    /// Logs whether changes are received, once per change of that state.
    private void logState(String reason) {
        boolean listening = heartbeat.isCurrent();
        if (listening) {
            first.countDown();
        }
        if (listening != logged) {
            logged = listening;
            if (listening) {
                LOG.info("this node receives the changes of other nodes again");
            } else {
                LOG.error(
                        "this node does not receive the changes of other nodes, so it caches nothing and is not"
                                + " ready. {}",
                        reason);
            }
        }
    }

    /// Announces what was committed since the last snapshot; nothing if there is none. If the process stood still so
    /// long that rows may be gone, everything is announced. The database's clock tells, since this machine's may
    /// have stood still, too.
    private void look(Connection connection) throws SQLException {
        long before = System.currentTimeMillis();
        long begin = System.nanoTime();
        try (var statement = connection.prepareStatement(LOOK)) {
            statement.setString(1, seen);
            statement.setInt(2, MAX + 1);
            try (var rows = statement.executeQuery()) {
                rows.next();
                clockOffsetMillis = offset(clockOffsetMillis, before, rows.getLong(2), System.currentTimeMillis());
                long millis = rows.getLong(2);
                if (seen != null && millis - seenMillis > TimeUnit.NANOSECONDS.toMillis(CATCH_UP_NANOS)) {
                    announce.accept(Change.EVERYTHING);
                }
                seenMillis = millis;
                announce(rows.getArray(3));
                seen = rows.getString(1);
                seenAt = begin;
                heartbeat.read(begin);
            }
        }
    }

    private void announce(Array array) throws SQLException {
        var changes = (String[]) array.getArray();
        if (changes.length > MAX) {
            announce.accept(Change.EVERYTHING);
            return;
        }
        for (String change : changes) {
            announce.accept(Change.decode(change));
        }
    }

    /// Returns the clock difference in milliseconds after one more measurement. The known difference changes
    /// only if the measurement disproves it: the uncertainty of each round trip would make the time jump back
    /// and forth between calls.
    ///
    /// @param there the database's time, read between `before` and `after` by this machine's clock
    static long offset(long kept, long before, long there, long after) {
        return Math.clamp(kept, there - after - 1, there - before + 1); // 1: each is rounded
    }

    private static void await(CountDownLatch latch, long millis) {
        try {
            latch.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
