package dev.sheaf.server.rate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.PostgresDatabase;
import dev.sheaf.server.rate.Rates.Kind;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.SettableClock;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Only PostgreSQL has several nodes.
class SharingTest {
    private static final int KEYS = 20;
    private static final int SECONDS = 5;
    private static final String FAR = "900000000:900000000:";
    private static final String OTHERS = "SELECT count(*) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
    private static final String READ = "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))"
            + " FROM pg_stat_user_tables WHERE relname LIKE 'rate_%'";
    private static final String WRITTEN = "SELECT n_tup_ins FROM pg_stat_user_tables WHERE relname = 'rate_use'";

    private final SettableClock clock = new SettableClock();
    private final AtomicLong nanos = new AtomicLong();
    private final Holder key = new Holder.Credential(UUID.randomUUID());

    /// What was granted on two nodes before they heard of each other is missing afterwards.
    @Test
    void nodesCountTogether() {
        try (var database = database()) {
            var rates = rates();
            var others = rates();
            var here = new Sharing(database, rates);
            var there = new Sharing(database, others);
            for (int i = 0; i < 40; i++) {
                rates.take(Kind.READS, key);
                others.take(Kind.READS, key);
            }

            exchange(here, there, 4); // hears nothing twice

            assertThat(rates.take(Kind.READS, key).orElseThrow().granted()).isFalse();
            assertThat(others.take(Kind.READS, key).orElseThrow().granted()).isFalse();
            nanos.addAndGet(Duration.ofSeconds(19).toNanos()); // 80 were taken of 60
            assertThat(rates.take(Kind.READS, key).orElseThrow().granted()).isFalse();
            nanos.addAndGet(Duration.ofSeconds(3).toNanos());
            assertThat(rates.take(Kind.READS, key).orElseThrow().granted()).isTrue();
            assertThat(others.take(Kind.READS, key).orElseThrow().granted()).isTrue();
        }
    }

    /// It knows neither rounds nor the column with the transaction.
    @Test
    void hearsNodesOfAnOlderRelease() {
        try (var database = database()) {
            var rates = rates();
            var here = new Sharing(database, rates);
            here.exchange();
            database.write(tx -> {
                RateRows.insert(tx, List.of(new RateRows.Row("old", 1, "reads", key.toString(), 60)));
                return 1;
            });

            exchange(here, here, 2);

            assertThat(rates.take(Kind.READS, key).orElseThrow().granted()).isFalse();
        }
    }

    @Test
    void ignoresWhatItDoesNotKnow() {
        try (var database = database()) {
            var rates = rates();
            var here = new Sharing(database, rates);
            here.exchange();
            database.write(tx -> {
                RateRows.insert(
                        tx,
                        Stream.of("an organization of a newer release", "~x", "x-y", "")
                                .map(holder -> new RateRows.Row(holder, 1, "reads", holder, 60))
                                .toList());
                RateRows.insert(
                        tx,
                        List.of(
                                new RateRows.Row("new", 2, "downloads", key.toString(), 60),
                                new RateRows.Row("new", 3, "writes", key.toString(), 30)));
                return 1;
            });

            exchange(here, here, 2);

            assertThat(rates.take(Kind.READS, key).orElseThrow().granted()).isTrue();
            assertThat(rates.take(Kind.WRITES, key).orElseThrow().granted()).isFalse();
        }
    }

    /// The tables are emptied by a crash of the database, and their rows may come from another server, whose
    /// transactions have higher numbers.
    @Test
    void beginsAnew() {
        try (var database = database()) {
            var rates = rates();
            var here = new Sharing(database, rates);
            var there = new Sharing(database, rates());
            exchange(here, there, 1);
            database.write(tx -> tx.change("UPDATE rate_fold SET upto = :far, round = 77", "far", FAR));
            exchange(here, there, 1);
            database.write(tx -> tx.change("DELETE FROM rate_fold"));
            exchange(here, there, 1);
            database.write(tx -> {
                RateRows.insert(tx, List.of(new RateRows.Row("other", 1, "reads", key.toString(), 60)));
                return tx.change("UPDATE rate_fold SET upto = :far", "far", FAR);
            });

            exchange(here, there, 2);

            assertThat(rates.take(Kind.READS, key).orElseThrow().granted()).isFalse();
        }
    }

    private void exchange(Sharing here, Sharing there, int times) {
        for (int i = 0; i < times; i++) {
            clock.advance(Duration.ofMillis(500));
            here.exchange();
            clock.advance(Duration.ofMillis(500));
            there.exchange();
        }
    }

    /// @param read rows that the database read or deleted
    /// @param written rows that nodes wrote
    private record Work(long read, long written, long millis) {}

    /// Each node reports the same keys every second.
    @Test
    void theDatabasesWorkGrowsWithTheNodes() throws SQLException {
        var few = work(3);
        var many = work(60);

        assertThat(few.written()).isEqualTo(3L * KEYS * SECONDS);
        assertThat(many.written()).isEqualTo(60L * KEYS * SECONDS);
        // each reported row is read once for all; each node reads a row that says how far all are, and new rounds
        long each = SECONDS * 8L;
        assertThat(few.read()).isLessThan(few.written() * 5 / 4 + 3 * each);
        assertThat(many.read()).isLessThan(many.written() * 5 / 4 + 60 * each);
    }

    @Test
    @Tag("measure")
    void showsTheWork() throws SQLException {
        for (int nodes : List.of(3, 10, 30, 100)) {
            System.out.println("rate sharing, " + nodes + " nodes, " + SECONDS + " s: " + work(nodes));
        }
    }

    private Work work(int nodes) throws SQLException {
        var settings = Databases.postgres();
        asIfTablesWereLarge(settings);
        long millis;
        try (var database = new PostgresDatabase(settings, clock)) {
            var keys = Stream.generate(() -> (Holder) new Holder.Credential(UUID.randomUUID()))
                    .limit(KEYS)
                    .toList();
            var rates = new ArrayList<Rates>();
            var sharings = new ArrayList<Sharing>();
            for (int i = 0; i < nodes; i++) {
                rates.add(rates());
                sharings.add(new Sharing(database, rates.getLast()));
            }
            sharings.getFirst().exchange();
            long begin = System.nanoTime();
            for (int second = 0; second < SECONDS; second++) {
                nanos.addAndGet(Duration.ofMinutes(1).toNanos());
                for (int i = 0; i < nodes; i++) {
                    var here = rates.get(i);
                    keys.forEach(one -> here.take(Kind.READS, one));
                    clock.advance(Duration.ofMillis(1000 / nodes));
                    sharings.get(i).exchange();
                }
            }
            millis = Duration.ofNanos(System.nanoTime() - begin).toMillis();
        }
        try (var connection = DriverManager.getConnection(
                settings.jdbcUrl(), settings.user(), settings.password().expose())) {
            // a process of PostgreSQL counts its work when it ends, some time after its connection was closed
            Eventually.within(Duration.ofSeconds(60), () -> asked(connection, OTHERS) == 0);
            return new Work(asked(connection, READ), asked(connection, WRITTEN), millis);
        }
    }

    private static long asked(Connection connection, String query) {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /// Otherwise statements without statistics read small tables from end to end.
    private static void asIfTablesWereLarge(PostgresDatabase.Settings settings) throws SQLException {
        try (var connection = DriverManager.getConnection(
                        settings.jdbcUrl(), settings.user(), settings.password().expose());
                var statement = connection.createStatement()) {
            statement.execute("ALTER DATABASE \"" + connection.getCatalog() + "\" SET enable_seqscan = off");
        }
    }

    private Database database() {
        return new PostgresDatabase(Databases.postgres(), clock);
    }

    private Rates rates() {
        return new Rates(new Rates.Quotas(10, 60, 30, 100, 50, 6), true, nanos::get);
    }
}
