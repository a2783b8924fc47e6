package dev.sheaf.server.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Announces the changes of transactions to other nodes, in batches after their commit. It also sends beats if no
/// other node does, and detects whether the database answers. Everything runs on one thread and one connection,
/// which takes the same network path as the connections of transactions.
///
/// NOTIFY holds one lock for all databases of the server from before its commit until after it. Here its
/// transaction changes nothing, so the commit need not wait for the disk. In a writer's transaction, the lock
/// would be held during the whole sync, and only one writer could commit at a time.
final class PostgresNotifier implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresNotifier.class);
    /// Time between two questions to the database, and random time that is added: nodes take turns with beats.
    private static final Duration TICK = Duration.ofMillis(600);

    private static final Duration MORE = Duration.ofMillis(300);
    /// Time between two messages of this node. A single change after a pause is sent immediately.
    private static final Duration PAUSE = Duration.ofMillis(25);

    private static final Duration KEPT = Duration.ofMinutes(1);
    private static final int MAX = 1_000;
    private static final int PRUNED = 5_000;
    private static final List<Change> WAKE = List.of();

    private static final String TICKS = "SELECT 1";

    /// Counts the nodes that listen, by the name of their connection. If the URL gives it another name, it finds none.
    private static final String COUNT = "SELECT count(*) FROM pg_stat_activity WHERE application_name = '"
            + PostgresLines.LISTENER + "' AND datname = current_database()";

    private static final String SEND = """
            SELECT set_config('synchronous_commit', 'off', true),
                   (SELECT count(*) FROM (SELECT pg_notify(told.channel, told.text)
                                          FROM unnest(?, ?) AS told (channel, text)) AS sent),
                   CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT)
            """;

    /// Deletes rows of transactions that had all ended a minute ago: every node has read them, or has since
    /// dropped its caches. Also deletes rows copied from another server, whose transaction numbers mean nothing
    /// here.
    private static final String PRUNE = """
            DELETE FROM announcement WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM announcement
                WHERE xact < CAST(? AS xid8) OR xact >= pg_snapshot_xmax(pg_current_snapshot())
                LIMIT ? FOR UPDATE SKIP LOCKED))
            """;

    /// Receives the notice that the database stopped answering or is reachable again.
    interface Watcher {
        /// Called when the database does not answer and no new connection can be opened.
        void down();

        /// Returns whether transactions have been answered lately. Then the database is slow, not down.
        boolean isAnswered();

        /// Called after a new connection was opened, also after [#down]; earlier connections may be dead.
        void reconnected(boolean wasDown);
    }

    private record Ended(long nanos, String before) {}

    private final PostgresDatabase.Settings settings;
    private final Heartbeat heartbeat;
    private final Watcher watcher;
    private final BlockingQueue<List<Change>> waiting = new LinkedBlockingQueue<>();
    private final Deque<Ended> ended = new ArrayDeque<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean down;
    private @Nullable Connection line;
    private long sent = System.nanoTime() - PAUSE.toNanos();

    PostgresNotifier(PostgresDatabase.Settings settings, Heartbeat heartbeat, Watcher watcher) {
        this.settings = settings;
        this.heartbeat = heartbeat;
        this.watcher = watcher;
        this.thread = Thread.ofPlatform().name("postgres-notifier").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /// Returns whether the database is known not to answer, so that callers need not wait for a timeout.
    boolean isDown() {
        return down;
    }

    /// Announces the changes of a committed transaction to other nodes. Does not wait.
    void tell(List<Change> changes) {
        if (!changes.isEmpty()) {
            waiting.add(List.copyOf(changes));
        }
    }

    /// Sends a beat now.
    void wake() {
        waiting.add(WAKE);
    }

    private void run() {
        long due = System.nanoTime();
        try {
            while (!closed) {
                var next = waiting.poll(due - System.nanoTime(), TimeUnit.NANOSECONDS);
                boolean hasTurn = next == null || awaitTurn();
                var changes = new LinkedHashSet<Change>();
                boolean asks = next == null || due - System.nanoTime() <= 0;
                boolean beats = heartbeat.isDue();
                for (; next != null; next = changes.size() < MAX ? waiting.poll() : null) {
                    beats |= next.isEmpty();
                    changes.addAll(next);
                }
                if (!hasTurn) {
                    changes.clear();
                }
                if (asks || beats || !changes.isEmpty()) {
                    quietly(changes, beats);
                    sent = System.nanoTime();
                    due = sent + TICK.toNanos() + ThreadLocalRandom.current().nextLong(MORE.toNanos());
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("closed", e);
        } finally {
            hangUp();
        }
    }

    private void quietly(Set<Change> changes, boolean beats) {
        try {
            send(changes, beats);
        } catch (Error e) { // without this thread the node would never be ready again
            LOG.error("a round of notifications failed", e);
        }
    }

    /// Waits until a message does not wake the nodes too soon after another one. Returns false if other nodes sent
    /// theirs for so long that all nodes have read the rows of the changes in the meantime.
    private boolean awaitTurn() throws InterruptedException {
        long begin = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(closed ? 0 : sent + PAUSE.toNanos() - begin);
        long left = heartbeat.untilTurn();
        while (left > 0 && !closed) {
            if (System.nanoTime() - begin > heartbeat.betweenReads().toNanos()) {
                return false;
            }
            long pause = left + ThreadLocalRandom.current().nextLong(heartbeat.share());
            TimeUnit.NANOSECONDS.sleep(Math.min(pause, heartbeat.betweenReads().toNanos()));
            left = heartbeat.untilTurn();
        }
        return true;
    }

    /// Sends changes. If that fails, other nodes still find them in the table.
    private void send(Set<Change> changes, boolean beats) {
        try {
            trySend(changes, beats);
        } catch (SQLException | RuntimeException e) {
            hangUp();
            if (!closed) {
                again(changes, beats, e);
            }
        }
    }

    private void again(Set<Change> changes, boolean beats, Exception cause) {
        try {
            trySend(changes, beats);
            LOG.info("the connection to PostgreSQL broke and was made again: {}", cause.toString());
            watcher.reconnected(false);
        } catch (SQLException | RuntimeException e) {
            hangUp();
            if (!down && !PostgresFailures.isRefusal(e) && watcher.isAnswered()) {
                LOG.warn("the database is slow: it answers transactions, but no beat in time: {}", e.toString());
            } else if (!down && !PostgresFailures.isFull(e)) {
                LOG.error("the database does not answer; requests that need it are refused until it does", e);
                down = true;
                watcher.down();
            }
        }
    }

    private void trySend(Set<Change> changes, boolean beats) throws SQLException {
        var channels = new ArrayList<String>();
        var texts = new ArrayList<String>();
        for (Change change : changes) {
            channels.add(PostgresChanges.CHANNEL);
            texts.add(change.encode());
        }
        if (beats) {
            if (heartbeat.isCountDue()) {
                heartbeat.count(asked(line(), COUNT));
            }
            channels.add(PostgresChanges.BEATS);
            texts.add(heartbeat.beat());
        }
        if (channels.isEmpty()) {
            asked(line(), TICKS);
        } else {
            tell(line(), channels, texts, beats);
        }
        if (down) {
            LOG.info("the database answers again");
            watcher.reconnected(true);
            down = false;
        }
    }

    private static int asked(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private void tell(Connection connection, List<String> channels, List<String> texts, boolean beats)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SEND)) {
            statement.setArray(1, connection.createArrayOf("text", channels.toArray()));
            statement.setArray(2, connection.createArrayOf("text", texts.toArray()));
            try (var rows = statement.executeQuery()) {
                rows.next();
                if (beats) { // nodes take turns with beats, and so with pruning
                    ended.add(new Ended(System.nanoTime(), rows.getString(3)));
                }
            }
        }
        pruneInTime(connection);
    }

    private Connection line() throws SQLException {
        var open = line;
        if (open == null) {
            open = PostgresLines.brief(settings, settings.jdbcUrl());
            line = open;
        }
        return open;
    }

    private void pruneInTime(Connection connection) throws SQLException {
        var oldest = ended.peek();
        if (oldest == null || System.nanoTime() - oldest.nanos() < KEPT.toNanos()) {
            return;
        }
        ended.remove();
        prune(connection, oldest.before());
    }

    /// Deletes a batch of announcements of transactions with numbers below `before`.
    static void prune(Connection connection, String before) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PRUNE)) {
            statement.setString(1, before);
            statement.setInt(2, PRUNED);
            statement.executeUpdate();
        }
    }

    private void hangUp() {
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
        wake();
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
