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

/// Receives the changes that other nodes commit, on its own connection: at once by LISTEN, and twice a second by
/// reading the rows committed since the last read, because a node may die after its commit and before its NOTIFY.
/// Also measures the difference between the clocks of this machine and the database.
final class PostgresChanges implements AutoCloseable {
    /// The channel on which changes are sent, one per message.
    static final String CHANNEL = "sheaf_changes";

    private static final Logger LOG = LoggerFactory.getLogger(PostgresChanges.class);
    private static final int WAIT_MILLIS = 250;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int MAX = 10_000;

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
    private final String own;
    private final Consumer<Change> announce;
    private final Runnable listening;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch first = new CountDownLatch(1);
    private final Thread thread;
    private volatile long clockOffsetMillis;
    private boolean logged = true; // whether the log says that the node receives changes; it is about to

    /// @param own the channel of this node's beats
    /// @param listening called when it begins to listen
    PostgresChanges(
            PostgresDatabase.Settings settings,
            Heartbeat heartbeat,
            String own,
            Consumer<Change> announce,
            Runnable listening) {
        this.settings = settings;
        this.heartbeat = heartbeat;
        this.own = own;
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
            try (Connection connection = PostgresLines.brief(settings, settings.listensAt());
                    var statement = connection.createStatement()) {
                statement.execute("LISTEN " + CHANNEL + "; LISTEN " + own);
                String seen = look(connection, null);
                listening.run();
                hear(connection, seen);
                // any failure: without this thread the node would never receive changes again
            } catch (SQLException | RuntimeException e) {
                heartbeat.lost();
                tell("the connection for it broke: " + e);
                await(closed, 500);
            }
        }
    }

    private void hear(Connection connection, String snapshot) throws SQLException {
        var postgres = connection.unwrap(PGConnection.class);
        String seen = snapshot;
        long begin = System.nanoTime();
        long looked = begin;
        while (closed.getCount() > 0) {
            for (var notification : postgres.getNotifications(WAIT_MILLIS)) {
                if (notification.getName().equals(own)) {
                    heartbeat.heard(notification.getParameter());
                } else {
                    announce.accept(Change.decode(notification.getParameter()));
                }
            }
            long now = System.nanoTime();
            if (now - looked >= LOOK_NANOS) {
                seen = look(connection, seen);
                looked = now;
            }
            if (heartbeat.isCurrent() || now - begin > Heartbeat.LIMIT.toNanos()) {
                tell(
                        "what PostgreSQL tells by NOTIFY does not come. Where a pooler in transaction mode stands before it,"
                                + " set postgres-listen-url to an address that goes past it");
            }
        }
    }

    /// Logs whether changes are received, once per change of that state.
    private void tell(String reason) {
        boolean listening = heartbeat.isCurrent();
        if (listening) {
            first.countDown();
        }
        if (listening != logged) {
            logged = listening;
            if (listening) {
                LOG.info("this node hears what other nodes change again");
            } else {
                LOG.error(
                        "this node does not hear what other nodes change: it keeps nothing in memory and is not ready."
                                + " {}",
                        reason);
            }
        }
    }

    /// @param seen the previous snapshot; null for the first read, which announces nothing
    /// @return the current snapshot
    private String look(Connection connection, @Nullable String seen) throws SQLException {
        long before = System.currentTimeMillis();
        try (var statement = connection.prepareStatement(LOOK)) {
            statement.setString(1, seen);
            statement.setInt(2, MAX + 1);
            try (var rows = statement.executeQuery()) {
                rows.next();
                clockOffsetMillis = offset(clockOffsetMillis, before, rows.getLong(2), System.currentTimeMillis());
                announce(rows.getArray(3));
                return rows.getString(1);
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

    /// Returns the clock difference in milliseconds after one more measurement. It changes only as far as the
    /// measurement disproves it: following the uncertainty of each round trip would make the time jump back and
    /// forth between calls.
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
