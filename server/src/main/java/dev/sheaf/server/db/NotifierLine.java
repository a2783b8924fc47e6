package dev.sheaf.server.db;

import dev.sheaf.server.db.beat.Beat;
import dev.sheaf.server.db.beat.Heartbeat;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The connection on which a node sends notifications. It also deletes announcements that all nodes have read. Used by
/// one thread.
///
/// NOTIFY holds one lock for all databases of the server from before its commit until after it. Here its
/// transaction changes nothing, so the commit need not wait for the disk. In a writer's transaction, the lock
/// would be held during the whole sync, and only one writer could commit at a time.
final class NotifierLine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NotifierLine.class);
    private static final Duration KEPT = Duration.ofMinutes(1);
    private static final int PRUNED = 5_000;

    private static final String TICKS = "SELECT 1";

    /// Counts the nodes that listen, by the name of their connection. If the URL gives it another name, it finds none.
    private static final String COUNT = "SELECT count(*) FROM pg_stat_activity WHERE application_name = '"
            + PostgresLines.LISTENER + "' AND datname = current_database()";

    /// Frees the room of notifications that all have read. PostgreSQL does it when it sends, but not once there is
    /// none.
    private static final String FREE = "SELECT pg_notification_queue_usage()";

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

    /// What this node read from the table of changes.
    record Looked(Beat.Look look, List<Change> changes) {}

    /// What is sent in one transaction. If there is nothing, the database is only asked whether it answers.
    record Round(
            Set<Change> changes, boolean beats, @Nullable Looked looked) {
        boolean isEmpty() {
            return changes.isEmpty() && !beats && looked == null;
        }
    }

    private record Message(String channel, String text) {}

    private record Ended(long nanos, String before) {}

    private final PostgresDatabase.Settings settings;
    private final Heartbeat heartbeat;
    private final Deque<Ended> ended = new ArrayDeque<>();
    private @Nullable Connection line;
    private UnaryOperator<String> sealer = UnaryOperator.identity(); // of that line's database

    NotifierLine(PostgresDatabase.Settings settings, Heartbeat heartbeat) {
        this.settings = settings;
        this.heartbeat = heartbeat;
    }

    /// @throws SQLException if the database does not answer within two seconds; the caller closes the connection
    void send(Round round) throws SQLException {
        if (round.isEmpty()) {
            asked(line(), TICKS);
            return;
        }
        boolean beats = round.beats() || round.looked() != null;
        if (beats && heartbeat.isCountDue()) {
            heartbeat.count(asked(line(), COUNT));
        }
        try {
            tell(line(), messages(round), beats);
        } catch (SQLException e) {
            if (PostgresFailures.isLimit(e)) {
                asked(line(), FREE);
            }
            throw e;
        }
    }

    /// Nodes of release 0.2.0 understand a single change and the beat without more; the rest they read themselves.
    private List<Message> messages(Round round) {
        var messages = new ArrayList<Message>();
        if (round.changes().size() == 1) {
            round.changes().forEach(one -> messages.add(new Message(PostgresChanges.CHANNEL, one.encode())));
        } else if (!round.changes().isEmpty()) {
            addBeats(messages, null, round.changes());
        }
        if (round.looked() != null) {
            addBeats(messages, round.looked().look(), round.looked().changes());
        } else if (round.beats()) {
            messages.add(new Message(PostgresChanges.BEATS, String.valueOf(heartbeat.nodes())));
        }
        return messages;
    }

    private void addBeats(List<Message> messages, Beat.@Nullable Look look, Collection<Change> changes) {
        var texts = changes.stream().map(Change::encode).toList();
        for (String text : Beat.encode(heartbeat.nodes(), look, texts, sealer)) {
            messages.add(new Message(PostgresChanges.BEATS, text));
        }
    }

    private static int asked(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private void tell(Connection connection, List<Message> messages, boolean beats) throws SQLException {
        var channels = messages.stream().map(Message::channel).toArray();
        var texts = messages.stream().map(Message::text).toArray();
        try (PreparedStatement statement = connection.prepareStatement(SEND)) {
            statement.setArray(1, connection.createArrayOf("text", channels));
            statement.setArray(2, connection.createArrayOf("text", texts));
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
            sealer = PostgresLines.sealer(settings, open);
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

    @Override
    public void close() {
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
}
