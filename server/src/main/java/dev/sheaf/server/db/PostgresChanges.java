package dev.sheaf.server.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Hears what other nodes committed, by LISTEN on a connection of its own that it tries several times a second, and
/// keeps the difference between this machine's clock and the database's. After a lost connection it announces
/// [Change#EVERYTHING], since it may have missed some.
final class PostgresChanges implements AutoCloseable {
    static final String CHANNEL = "sheaf_changes";
    private static final Logger LOG = LoggerFactory.getLogger(PostgresChanges.class);
    private static final int WAIT_MILLIS = 300;

    private final PostgresDatabase.Settings settings;
    private final Consumer<Change> announce;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private volatile long clockOffsetMillis;

    PostgresChanges(PostgresDatabase.Settings settings, Consumer<Change> announce) {
        this.settings = settings;
        this.announce = announce;
        var listening = new CountDownLatch(1);
        this.thread = Thread.ofPlatform().name("postgres-changes").daemon().start(() -> run(listening));
        await(listening, 10);
    }

    long clockOffsetMillis() {
        return clockOffsetMillis;
    }

    private void run(CountDownLatch listening) {
        while (closed.getCount() > 0) {
            try (Connection connection = PostgresDatabase.connectToListen(settings);
                    var statement = connection.createStatement()) {
                statement.execute("LISTEN " + CHANNEL);
                measureClock(connection);
                announce.accept(Change.EVERYTHING);
                listening.countDown();
                hear(connection);
            } catch (SQLException | RuntimeException e) { // whatever it is: a node that does not hear is blind for ever
                LOG.warn("lost the connection that hears of other nodes' changes, connecting again: {}", e.toString());
                announce.accept(Change.EVERYTHING);
                await(closed, 1);
            }
        }
    }

    private void hear(Connection connection) throws SQLException {
        var postgres = connection.unwrap(PGConnection.class);
        while (closed.getCount() > 0) {
            for (var notification : postgres.getNotifications(WAIT_MILLIS)) {
                announce.accept(Change.decode(notification.getParameter()));
            }
            measureClock(connection); // and with it that the line still lives
        }
    }

    private void measureClock(Connection connection) throws SQLException {
        long before = System.currentTimeMillis();
        try (var statement = connection.createStatement();
                var rows =
                        statement.executeQuery("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)")) {
            rows.next();
            long there = rows.getLong(1);
            long after = System.currentTimeMillis();
            clockOffsetMillis = offset(clockOffsetMillis, before, there, after);
        }
    }

    /// The difference after one more measurement, in milliseconds. It moves only as far as the measurement proves
    /// it wrong: following what the round trip leaves open would make the time jump back and forth between two
    /// calls.
    ///
    /// @param there the database's time, asked for between `before` and `after` of this machine
    static long offset(long kept, long before, long there, long after) {
        return Math.clamp(kept, there - after - 1, there - before + 1); // 1: each is rounded
    }

    private static void await(CountDownLatch latch, int seconds) {
        try {
            latch.await(seconds, TimeUnit.SECONDS);
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
