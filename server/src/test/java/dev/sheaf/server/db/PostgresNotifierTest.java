package dev.sheaf.server.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.db.beat.Heartbeat;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Line;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PostgresNotifierTest {
    private static final Duration SOON = Duration.ofSeconds(60);

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
            var settings = new PostgresDatabase.Settings(
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
}
