package dev.sheaf.server.db;

import dev.sheaf.server.db.beat.Beat;
import dev.sheaf.server.db.beat.Heartbeat;
import dev.sheaf.server.db.beat.Seen;
import dev.sheaf.server.db.outage.Outage;
import dev.sheaf.server.db.outage.RootCause;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Receives the changes that other nodes commit, on its own connection: immediately by LISTEN, and once or twice a
/// second from the rows committed since, because a node may die after its commit and before its NOTIFY. Of several
/// nodes mostly one reads these rows, and tells the others. Also measures the difference between the clocks of this
/// machine and the database.
final class PostgresChanges implements AutoCloseable {
    /// The channel on which a single change is sent.
    static final String CHANNEL = "sheaf_changes";
    /// The channel of each [Beat].
    static final String BEATS = "sheaf_beats";

    private static final Logger LOG = LoggerFactory.getLogger(PostgresChanges.class);
    private static final int WAIT_MILLIS = 250;
    private static final int MAX = 10_000;

    /// Says when the server started. If one of its processes crashes, it recovers without a new start, but resets its
    /// statistics. It may then give the numbers of the last transactions again.
    private static final String STARTED = """
            SELECT CAST(pg_postmaster_start_time() AS TEXT) || ' ' || COALESCE(CAST(stats_reset AS TEXT), '')
            FROM pg_stat_bgwriter
            """;

    /// Selects rows that are visible now and were not in the previous snapshot. Transaction numbers beyond the
    /// snapshot come from another server, from which the rows were copied.
    private static final String LOOK = """
            SELECT CAST(pg_current_snapshot() AS TEXT),
                   CAST(floor(extract(epoch FROM now()) * 1000) AS BIGINT),
                   ARRAY(SELECT DISTINCT a.change
                         FROM announcement a,
                              (SELECT CAST(COALESCE(?, CAST(pg_current_snapshot() AS TEXT)) AS pg_snapshot) AS seen) AS s
                         WHERE a.xact >= pg_snapshot_xmin(s.seen) AND NOT pg_visible_in_snapshot(a.xact, s.seen)
                         AND a.xact < pg_snapshot_xmax(pg_current_snapshot()) LIMIT ?)
            """;

    private final PostgresDatabase.Settings settings;
    private final Heartbeat heartbeat;
    private final Consumer<Change> announce;
    private final Listener listener;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch first = new CountDownLatch(1);
    private final Thread thread;
    private final Seen seen = new Seen();
    private final Set<Change> batch = new HashSet<>(); // of notifications that were received together
    private volatile long clockOffsetMillis;
    private final Outage outage = new Outage();
    private String server = "";
    private boolean logged = true; // whether the log last said that changes are received; assumed at the start

    /// Told what the other nodes should know.
    interface Listener {
        /// Called when this node begins to listen.
        void listens();

        /// Called after each look at the table.
        void looked(Beat.Look look, List<Change> changes);
    }

    PostgresChanges(
            PostgresDatabase.Settings settings, Heartbeat heartbeat, Consumer<Change> announce, Listener listener) {
        this.settings = settings;
        this.heartbeat = heartbeat;
        this.announce = announce;
        this.listener = listener;
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
                listener.listens();
                hear(connection);
            } catch (SQLException e) {
                broke(e);
                // any failure: without this thread the node would never receive changes again
            } catch (RuntimeException | Error e) {
                seen.missed();
                broke(e);
            }
        }
    }

    private void broke(Throwable e) {
        heartbeat.lost();
        logState("the connection for notifications broke: " + RootCause.of(e));
        LOG.debug("where it broke", e);
        await(closed, 500);
    }

    /// Reads the changes since the last connection broke. If their rows may be gone, or the database has restarted
    /// and may have lost transactions, clears the caches instead.
    private void catchUp(Connection connection) throws SQLException {
        String before = server;
        server = started(connection);
        if (!server.equals(before) || seen.isOld(System.nanoTime())) {
            seen.missed();
        }
        boolean goesOn = seen.snapshot() != null;
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
        var sealer = PostgresLines.sealer(settings, connection);
        long begin = System.nanoTime();
        while (closed.getCount() > 0) {
            long left = TimeUnit.NANOSECONDS.toMillis(heartbeat.untilRead());
            batch.clear();
            for (var notification : postgres.getNotifications(Math.clamp(left, 1, WAIT_MILLIS))) {
                if (notification.getName().equals(BEATS)) {
                    beat(notification.getParameter(), sealer);
                } else {
                    heartbeat.told();
                    told(notification.getParameter());
                }
            }
            if (heartbeat.untilRead() <= 0 || seen.isOwnDue(System.nanoTime(), System.currentTimeMillis())) {
                look(connection);
            }
            if (heartbeat.isCurrent() || System.nanoTime() - begin > Heartbeat.SILENCE.toNanos()) {
                logState(
                        heartbeat.isHeard()
                                ? "the table of changes was read too late, because the database or this machine is busy"
                                : "notifications (NOTIFY) of PostgreSQL do not arrive. If a pooler in transaction mode is"
                                        + " in front of it, set postgres-listen-url to an address that bypasses the"
                                        + " pooler");
            }
        }
    }

    private void beat(String text, UnaryOperator<String> sealer) {
        Beat beat;
        try {
            beat = Beat.parse(text);
        } catch (RuntimeException e) {
            LOG.debug("this is no beat", e);
            heartbeat.heard(0);
            return;
        }
        heartbeat.heard(beat.nodes());
        if (!beat.changes().isEmpty()) {
            heartbeat.told();
        }
        var look = beat.look();
        if (look != null && !seen.isNew(look)) {
            return; // its own, or one from before its own
        }
        beat.changes().forEach(this::told);
        if (look != null && beat.isSealed(sealer) && seen.follow(look, System.nanoTime())) {
            heartbeat.read(seen.at());
        }
    }

    /// Announces a change, once in a batch: it was received after the commits of all. Any role of the database can send
    /// one, so its text may be wrong, and there may be many.
    private void told(String text) {
        var change = Change.decode(text);
        if (!batch.add(change)) {
            return;
        }
        try {
            announce.accept(change);
        } catch (RuntimeException e) {
            if (batch.add(Change.EVERYTHING)) {
                LOG.warn("a notification is no change of this program; all caches are cleared", e);
                announce.accept(Change.EVERYTHING);
            }
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
                LOG.info("this node receives the changes of other nodes again, after {}", outage.lasted());
            } else {
                outage.begins();
                LOG.error(
                        "this node does not receive the changes of other nodes, so it caches nothing and is not"
                                + " ready: {}",
                        reason);
            }
        }
    }

    /// Announces what was committed since the last snapshot; nothing if there is none. If the process stood still so
    /// long that rows may be gone, everything is announced.
    private void look(Connection connection) throws SQLException {
        long before = System.currentTimeMillis();
        long begin = System.nanoTime();
        String from = seen.snapshot();
        try (var statement = connection.prepareStatement(LOOK)) {
            statement.setString(1, from);
            statement.setInt(2, MAX + 1);
            try (var rows = statement.executeQuery()) {
                rows.next();
                String to = rows.getString(1);
                long there = rows.getLong(2);
                var changes = decoded(rows.getArray(3));
                clockOffsetMillis = offset(clockOffsetMillis, before, there, System.currentTimeMillis());
                if (seen.looked(to, there, begin, before)) {
                    announce.accept(Change.EVERYTHING);
                }
                changes.forEach(announce);
                heartbeat.read(begin);
                if (from != null) {
                    listener.looked(new Beat.Look(from, to, there), changes);
                }
            }
        }
    }

    private static List<Change> decoded(Array array) throws SQLException {
        var changes = (String[]) array.getArray();
        return changes.length > MAX
                ? List.of(Change.EVERYTHING)
                : Arrays.stream(changes).map(Change::decode).toList();
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
