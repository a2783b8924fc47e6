package dev.sheaf.server.db;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.db.beat.Beat;
import dev.sheaf.server.db.beat.Heartbeat;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Line;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

@Timeout(120)
class PostgresNotifierTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Change KIT = new Change(Change.Kind.REPOSITORY, "acme/kit");

    private final PostgresDatabase.Settings direct = Databases.postgres();
    private final AtomicBoolean answered = new AtomicBoolean(true);
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger downs = new AtomicInteger();

    private final PostgresNotifier.Watcher watcher = new PostgresNotifier.Watcher() {
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
    void aDatabaseThatAnswersTransactionsIsNotDownWhileBeatsAreLate() throws Exception {
        var uri = URI.create(direct.jdbcUrl().substring("jdbc:".length()));
        try (var line = new Line(uri, Long.MAX_VALUE)) {
            var settings = Databases.at(
                    "jdbc:postgresql://127.0.0.1:" + line.port() + uri.getPath(), direct.user(), direct.password(), 4);
            line.freeze();
            var heartbeat = new Heartbeat(System::nanoTime);
            try (var notifier = new PostgresNotifier(settings, heartbeat, watcher)) {
                notifier.start();
                Eventually.within(SOON, () -> asked.get() > 1);
                assertThat(notifier.isDown()).isFalse();

                answered.set(false);

                Eventually.within(SOON, notifier::isDown);
                assertThat(downs).hasValue(1);
                line.thaw();
                Eventually.within(SOON, () -> !notifier.isDown());
            }
        }
    }

    /// Such messages are too long for PostgreSQL, which is no sign that it does not answer.
    @Test
    void aLookBesideHundredsOfTransactionsIsNotTold() throws Exception {
        answered.set(false);
        var heartbeat = new Heartbeat(System::nanoTime);
        heartbeat.count(5);
        try (var other = listener();
                var notifier = new PostgresNotifier(direct, heartbeat, watcher)) {
            String many =
                    IntStream.range(1_000, 3_000).mapToObj(Integer::toString).collect(joining(","));
            notifier.looked(new Beat.Look("1000:3000:" + many, "1000:3000:" + many, 1), List.of());
            notifier.start();

            notifier.tell(List.of(KIT));

            assertThat(heard(other, text -> text.equals(KIT.encode()))).isEqualTo(KIT.encode());
            assertThat(downs).hasValue(0);
        }
    }

    /// Otherwise each look after a pause would be as late as the first one.
    @Test
    void ofLooksThatCouldNotBeSentOnlyTheLastOneIsTold() throws Exception {
        var heartbeat = new Heartbeat(System::nanoTime);
        heartbeat.count(5);
        try (var other = listener();
                var notifier = new PostgresNotifier(direct, heartbeat, watcher)) {
            for (int i = 1; i <= 3; i++) {
                notifier.looked(new Beat.Look("1:1:", "1:" + i + ":", i), List.of());
            }

            notifier.start();

            var beat = Beat.parse(heard(other, text -> text.contains(":")));
            assertThat(beat.look()).isEqualTo(new Beat.Look("1:1:", "1:3:", 3));
            assertThat(beat.isSealed(PostgresLines.sealer(direct, other))).isTrue();
        }
    }

    private Connection listener() throws SQLException {
        var connection = DriverManager.getConnection(
                direct.jdbcUrl(), direct.user(), direct.password().expose());
        try (var statement = connection.createStatement()) {
            statement.execute("LISTEN " + PostgresChanges.CHANNEL + "; LISTEN " + PostgresChanges.BEATS);
        }
        return connection;
    }

    private static String heard(Connection connection, Predicate<String> which) throws SQLException {
        while (true) {
            for (var notification : connection.unwrap(PGConnection.class).getNotifications((int) SOON.toMillis())) {
                if (which.test(notification.getParameter())) {
                    return notification.getParameter();
                }
            }
        }
    }
}
