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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Announces to other nodes what transactions changed, in batches after their commit. It also sends this node's
/// beats and thereby notices whether the database answers. All of it runs on one thread and one connection, which
/// takes the same way as those of transactions.
///
/// NOTIFY holds one lock for all databases of the server from before its commit until after it. Here its
/// transaction changes nothing, so the commit need not wait for the disk. In a writer's transaction the lock would
/// be held for the whole sync, and only one writer could commit at a time.
final class PostgresNotifier implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresNotifier.class);
    private static final Duration BEAT = Duration.ofMillis(750);
    /// Time between two messages, because each wakes every node. A single change after a pause is sent at once.
    private static final Duration PAUSE = Duration.ofMillis(25);

    private static final Duration KEPT = Duration.ofMinutes(1);
    private static final int MAX = 1_000;
    private static final int PRUNED = 5_000;
    private static final List<Change> WAKE = List.of();

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

    /// Is told when the database stops answering and when it is reachable again.
    interface Watcher {
        /// The database does not answer, and no new connection can be opened.
        void down();

        /// Connections that were opened before may be dead.
        void reconnected();
    }

    private record Ended(long nanos, String before) {}

    private final PostgresDatabase.Settings settings;
    private final Heartbeat heartbeat;
    private final String own;
    private final Watcher watcher;
    private final BlockingQueue<List<Change>> waiting = new LinkedBlockingQueue<>();
    private final Deque<Ended> ended = new ArrayDeque<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean down;
    private @Nullable Connection line;

    PostgresNotifier(PostgresDatabase.Settings settings, Heartbeat heartbeat, String own, Watcher watcher) {
        this.settings = settings;
        this.heartbeat = heartbeat;
        this.own = own;
        this.watcher = watcher;
        this.thread = Thread.ofPlatform().name("postgres-notifier").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /// Returns whether the database is known not to answer, so that callers need not wait to find out.
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
        long free = due;
        try {
            while (!closed) {
                var next = waiting.poll(due - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (!closed) {
                    TimeUnit.NANOSECONDS.sleep(free - System.nanoTime());
                }
                var changes = new LinkedHashSet<Change>();
                boolean beats = next == null || next.isEmpty() || due - System.nanoTime() <= 0;
                for (; next != null; next = changes.size() < MAX ? waiting.poll() : null) {
                    beats |= next.isEmpty();
                    changes.addAll(next);
                }
                if (beats) {
                    due = System.nanoTime() + BEAT.toNanos();
                }
                free = System.nanoTime() + PAUSE.toNanos();
                try {
                    send(changes, beats);
                } catch (Error e) { // without this thread the node would never be ready again
                    LOG.error("a round of notifications failed", e);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("closed", e);
        } finally {
            hangUp();
        }
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
            watcher.reconnected();
        } catch (SQLException | RuntimeException e) {
            hangUp();
            if (!down && !PostgresFailures.isFull(e)) {
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
        if (beats) { // after the changes: a node that received the beat has received them
            channels.add(own);
            texts.add(heartbeat.beat());
        }
        var connection = line();
        try (PreparedStatement statement = connection.prepareStatement(SEND)) {
            statement.setArray(1, connection.createArrayOf("text", channels.toArray()));
            statement.setArray(2, connection.createArrayOf("text", texts.toArray()));
            try (var rows = statement.executeQuery()) {
                rows.next();
                if (beats) {
                    ended.add(new Ended(System.nanoTime(), rows.getString(3)));
                }
            }
        }
        pruneInTime(connection);
        if (down) {
            down = false;
            LOG.info("the database answers again");
            watcher.reconnected();
        }
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
