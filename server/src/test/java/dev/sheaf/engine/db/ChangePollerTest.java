package dev.sheaf.engine.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Line;
import java.net.URI;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(180)
class ChangePollerTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final PostgresDatabase.Settings direct = Databases.postgres();
    private final AtomicBoolean answered = new AtomicBoolean(true);
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger downs = new AtomicInteger();

    private final ChangePoller.Watcher watcher = new ChangePoller.Watcher() {
        @Override
        public void down() {
            downs.incrementAndGet();
        }

        @Override
        public boolean isAnswered() {
            asked.incrementAndGet();
            return answered.get();
        }

        @Override
        public void reconnected(boolean wasDown) {
            // nothing uses another connection
        }
    };

    /// Otherwise an overloaded machine would break the connections of transactions that would have ended.
    @Test
    void databaseThatAnswersTransactionsIsNotDownWhileReadsAreLate() throws Exception {
        var uri = URI.create(direct.jdbcUrl().substring("jdbc:".length()));
        try (var line = new Line(uri, Long.MAX_VALUE)) {
            var settings = Databases.at(
                    "jdbc:postgresql://127.0.0.1:" + line.port() + uri.getPath(), direct.user(), direct.password(), 4);
            line.freeze();
            try (var poller = new ChangePoller(settings, change -> {}, watcher)) {
                poller.start();
                Eventually.within(SOON, () -> asked.get() > 1);
                assertThat(poller.isDown()).isFalse();
                assertThat(poller.hasRead(ChangePoller.PATIENCE)).isFalse();

                answered.set(false);

                Eventually.within(SOON, poller::isDown);
                assertThat(downs).hasValue(1);
                line.thaw();
                Eventually.within(SOON, () -> !poller.isDown());
                assertThat(poller.hasRead(ChangePoller.PATIENCE)).isTrue();
            }
        }
    }

    @Test
    void cachesAreNotUsedOnceReadsStop() throws Exception {
        var uri = URI.create(direct.jdbcUrl().substring("jdbc:".length()));
        try (var line = new Line(uri, Long.MAX_VALUE)) {
            var settings = Databases.at(
                    "jdbc:postgresql://127.0.0.1:" + line.port() + uri.getPath(), direct.user(), direct.password(), 4);
            try (var node = new PostgresDatabase(settings, InstantSource.system())) {
                Eventually.within(SOON, node::isCurrent);

                line.freeze();

                Eventually.within(SOON, () -> !node.isCurrent());
                line.thaw();
                Eventually.within(SOON, node::isCurrent);
            }
        }
    }

    @Test
    void hintOfOneNodeReachesTheOthers() throws Exception {
        var heard = new CountDownLatch(1);
        try (var hints = new ChangeHints(direct, from -> heard.countDown());
                var sender = DriverManager.getConnection(
                        direct.jdbcUrl(), direct.user(), direct.password().expose())) {
            hints.start();

            while (!heard.await(100, TimeUnit.MILLISECONDS)) { // it may not listen yet
                ChangeHints.send(sender, direct, "another node");
            }
        }
    }

    @Test
    void tenIdleNodesAskLittle() throws Exception {
        var nodes = new ArrayList<ChangePoller>();
        try {
            for (int i = 0; i < 10; i++) {
                var poller = new ChangePoller(direct, change -> {}, watcher);
                nodes.add(poller);
                poller.start();
            }
            long before = transactions();
            long begin = System.nanoTime();
            Eventually.within(SOON, () -> System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(5));
            nodes.forEach(ChangePoller::close); // the server counts what ended connections did

            double seconds = (System.nanoTime() - begin) / 1e9;
            assertThat((transactions() - before) / seconds).isLessThan(30);
        } finally {
            nodes.forEach(ChangePoller::close);
        }
    }

    private long transactions() throws SQLException {
        try (var connection = DriverManager.getConnection(
                        direct.jdbcUrl(), direct.user(), direct.password().expose());
                var statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1000, 1004, 1009, 0", // five milliseconds there, four back, or none of it: nothing says that it moved
        "0, 1000, 1001, 1000, 0", // rounding
        "7, 1000, 1004, 1009, 5", // the database can be ahead by 4 at most
        "-9, 1000, 1004, 1009, -6",
        "0, 1000, 61000, 1002, 59997",
        "59997, 2000, 62001, 2001, 59999",
    })
    void theDatabasesClockIsFollowedOnlyAsFarAsAMeasurementProves(
            long kept, long before, long there, long after, long expected) {
        assertThat(ChangePoller.offset(kept, before, there, after)).isEqualTo(expected);
    }
}
