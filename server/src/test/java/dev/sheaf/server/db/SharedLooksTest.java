package dev.sheaf.server.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Several nodes, of which mostly one reads the table of changes, and tells the others.
@Timeout(120)
class SharedLooksTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String INSERT = "INSERT INTO announcement (change) VALUES ('REPOSITORY:acme/kit')";
    private static final Change KIT = new Change(Change.Kind.REPOSITORY, "acme/kit");
    private static final int NODES = 8;
    private static final int CHANGES = 8;

    private final PostgresDatabase.Settings settings = Databases.postgres();
    private final List<PostgresDatabase> nodes = new ArrayList<>();

    private PostgresDatabase node() {
        var node = new PostgresDatabase(settings, InstantSource.system());
        nodes.add(node);
        return node;
    }

    @AfterEach
    void close() {
        nodes.forEach(PostgresDatabase::close);
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                settings.jdbcUrl(), settings.user(), settings.password().expose());
    }

    private static long asked(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void poll(BlockingQueue<Change> heard, Change change) throws InterruptedException {
        Change next;
        do {
            next = heard.poll(SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(next).isNotNull();
        } while (!next.equals(change));
    }

    @Test
    void allHearWhatOneReads() throws Exception {
        var heard = new ArrayList<BlockingQueue<Change>>();
        for (int i = 0; i < NODES; i++) {
            var queue = new LinkedBlockingQueue<Change>();
            node().onChange(queue::add);
            heard.add(queue);
        }
        long begin;
        try (var killed = connect()) {
            Eventually.within(SOON, () -> nodes.stream().allMatch(PostgresDatabase::isListening));
            begin = System.nanoTime();
            for (int i = 0; i < CHANGES; i++) {
                run(killed, INSERT);
                for (var queue : heard) {
                    poll(queue, KIT);
                }
                heard.forEach(BlockingQueue::clear);
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        close();
        nodes.clear();

        try (var connection = connect()) {
            long looks = asked(
                    connection,
                    "SELECT seq_scan + coalesce(idx_scan, 0) FROM pg_stat_user_tables WHERE relname = 'announcement'");
            assertThat(looks)
                    .as("in %s seconds", seconds)
                    .isLessThan(
                            NODES * 4 + (long) (seconds * NODES / 2)); // on its own, each reads up to twice a second
        }
    }

    /// Copies of an installation may have the same secret, and schemas of one database share its messages.
    @Test
    void nodesOfAnotherSchemaMakeAnotherSeal() throws Exception {
        try (var one = connect();
                var same = connect();
                var other = connect()) {
            run(other, "CREATE SCHEMA other; SET search_path = other; CREATE TABLE announcement (change TEXT)");

            assertThat(seal(one)).isEqualTo(seal(same)).isNotEqualTo(seal(other));
        }
    }

    private String seal(Connection connection) throws SQLException {
        return PostgresLines.sealer(settings, connection).apply("text");
    }

    /// Otherwise any role that may connect could keep changes from all nodes. Here it is even the role of the nodes.
    @Test
    void aMessageWithoutTheSealOfTheNodesIsNotBelieved() throws Exception {
        var heard = new LinkedBlockingQueue<Change>();
        var node = node();
        node.onChange(heard::add);
        Eventually.within(SOON, node::isListening);
        try (var stranger = connect();
                var killed = connect()) {
            for (int i = 0; i < 200; i++) {
                run(stranger, """
                        SELECT pg_notify('sheaf_beats', '1' || chr(10) || '1:1: 900000000:900000000: '
                                || CAST(floor(extract(epoch FROM now()) * 1000) AS BIGINT)
                                || ' ' || repeat('0', 64))""");
            }

            run(killed, INSERT);

            poll(heard, KIT);
            assertThat(node.isListening()).isTrue();
        }
    }

    /// Otherwise any role that may connect could keep nodes from receiving changes.
    @Test
    void aMessageOfNonsenseBreaksNoConnection() throws Exception {
        var heard = new LinkedBlockingQueue<Change>();
        var node = node();
        node.onChange(change -> {
            heard.add(change);
            if (change.kind() == Change.Kind.API_KEY) {
                throw new IllegalArgumentException(change.id());
            }
        });
        Eventually.within(SOON, node::isListening);
        try (var sender = connect()) {
            String listener = "SELECT max(pid) FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND application_name = '" + PostgresLines.LISTENER + "'";
            long before = asked(sender, listener);

            run(sender, "SELECT pg_notify('sheaf_beats', '1' || chr(10) || 'no snapshot 5')");
            run(sender, "SELECT pg_notify('sheaf_beats', '1' || chr(10) || chr(10) || 'API_KEY:nonsense')");
            run(sender, INSERT);

            poll(heard, KIT);
            assertThat(asked(sender, listener)).isEqualTo(before);
        }
    }
}
