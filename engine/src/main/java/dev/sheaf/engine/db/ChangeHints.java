package dev.sheaf.engine.db;

import dev.sheaf.engine.db.outage.RootCause;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Listens (LISTEN) for hints that another node has committed something, so that this one reads the table of changes at
/// once. A hint says nothing else, and nothing depends on it: without hints, such as behind a pooler, the table is read
/// twice a second all the same.
///
/// The name of the channel contains a secret of the installation. So no other role of the database can send hints, nor
/// fill the memory of nodes with messages.
final class ChangeHints implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeHints.class);
    private static final int QUIET_MILLIS = 30_000; // after which the connection is checked
    private static final int CHECK_SECONDS = 2;
    private static final int RETRY_SECONDS = 2;
    private static final int NAME = 32; // letters of the secret part; PostgreSQL takes names of 63

    /// The transaction changes nothing, so its commit need not wait for the disk. NOTIFY holds one lock for all
    /// databases
    /// of the server until the end of the commit, so in a writer's transaction only one could commit at a time.
    private static final String SEND = "SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, ?)";

    /// Frees the room of notifications that all have read. PostgreSQL does it when it sends, but not once there is
    /// none.
    private static final String FREE = "SELECT pg_notification_queue_usage()";

    private final PostgresDatabase.Settings settings;
    private final Consumer<String> hinted;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable Connection line;

    /// @param hinted receives the name of the node that sent the hint
    ChangeHints(PostgresDatabase.Settings settings, Consumer<String> hinted) {
        this.settings = settings;
        this.hinted = hinted;
    }

    void start() {
        Thread.ofVirtual().name("change-hints").start(this::run);
    }

    private static String channel(PostgresDatabase.Settings settings) {
        return "sheaf_" + settings.seal().apply("hints").substring(0, NAME);
    }

    /// Sends a hint to all nodes.
    ///
    /// @throws SQLException if the connection broke; not if there is no room for notifications, because nodes
    ///     read the table anyway
    static void send(Connection connection, PostgresDatabase.Settings settings, String node) throws SQLException {
        try (var statement = connection.prepareStatement(SEND)) {
            statement.setString(1, channel(settings));
            statement.setString(2, node);
            statement.execute();
        } catch (SQLException e) {
            if (!PostgresFailures.isLimit(e)) {
                throw e;
            }
            LOG.debug("no room for a notification", e);
            try (var statement = connection.createStatement()) {
                statement.execute(FREE);
            }
        }
    }

    private void run() {
        try {
            do {
                if (!listen()) {
                    return;
                }
            } while (!closed.await(RETRY_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            LOG.debug("closed", e);
        }
    }

    /// Listens until the connection breaks. Returns false if hints can't come this way.
    private boolean listen() {
        try (Connection connection = PostgresLines.listener(settings)) {
            line = connection;
            if (!PostgresLines.isDirect(connection)) {
                LOG.info(
                        "there is a pooler in front of PostgreSQL, so this node knows changes of others after up to half a"
                                + " second. To know them at once, set postgres-listen-url to an address that bypasses it");
                return false;
            }
            try (var statement = connection.createStatement()) {
                statement.execute("LISTEN \"" + channel(settings) + "\"");
            }
            hear(connection);
        } catch (SQLException e) {
            LOG.debug("the connection for hints broke: {}", RootCause.of(e));
        } finally {
            line = null;
        }
        return true;
    }

    private void hear(Connection connection) throws SQLException {
        var postgres = connection.unwrap(PGConnection.class);
        while (closed.getCount() > 0) {
            var hints = postgres.getNotifications(QUIET_MILLIS);
            for (var hint : hints) {
                hinted.accept(hint.getParameter());
            }
            if (hints.length == 0 && !connection.isValid(CHECK_SECONDS)) {
                return;
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
        var open = line;
        if (open != null) {
            try {
                open.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debug("it was broken", e);
            }
        }
    }
}
