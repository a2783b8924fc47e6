package dev.sheaf.engine.db;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.schema.Migrations;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Together;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// Many writers on a PostgreSQL of its own where a commit costs 5 ms, as it does on many disks, and what they wait for.
final class CommitLoad implements AutoCloseable {
    private static final int COMMIT_MICROS = 5_000;

    private final EmbeddedPostgres server;
    private final PostgresDatabase.Settings settings;
    private final PostgresDatabase database;

    /// How it went.
    ///
    /// @param commits of all writers together
    /// @param lockWaits how often, of the times that somebody looked, a connection waited for a lock that all
    /// commits of the installation share
    record Result(long commits, Duration time, int lockWaits) {
        long perSecond() {
            return commits * 1_000 / Math.max(1, time.toMillis());
        }
    }

    CommitLoad(int writers) throws IOException {
        server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("commit_delay", String.valueOf(COMMIT_MICROS))
                .setServerConfig("commit_siblings", "0")
                .setServerConfig("max_connections", "200")
                .start();
        settings = Databases.at(server.getJdbcUrl("postgres", "postgres"), "postgres", Secret.of("postgres"), writers);
        Migrations.migrate(settings);
        database = new PostgresDatabase(settings, InstantSource.system());
    }

    /// Each writer commits one small transaction after the other.
    ///
    /// @param announcing whether each says that something cached has changed
    Result run(int writers, Duration time, boolean announcing) throws Exception {
        var over = new AtomicBoolean();
        var waits = new AtomicInteger();
        var watcher = Thread.ofPlatform().start(() -> watch(over, waits));
        long begin = System.nanoTime();
        long end = begin + time.toNanos();
        var commits = Together.run(writers, writer -> () -> {
            long done = 0;
            while (System.nanoTime() < end) {
                write(writer + "/" + announcing, done++, announcing);
            }
            return done;
        });
        var took = Duration.ofNanos(System.nanoTime() - begin);
        over.set(true);
        watcher.join();
        return new Result(commits.stream().mapToLong(Long::longValue).sum(), took, waits.get());
    }

    private void write(String writer, long number, boolean announcing) {
        database.write(tx -> {
            if (announcing) {
                tx.changed(new DataChange(DataChange.Kind.REPOSITORY, "acme/bundle-" + writer));
            }
            return tx.handle()
                    .createUpdate(
                            "INSERT INTO setting (name, value) VALUES (:name, '1') ON CONFLICT (name) DO UPDATE SET value = :value")
                    .bind("name", writer)
                    .bind("value", String.valueOf(number))
                    .execute();
        });
    }

    private void watch(AtomicBoolean over, AtomicInteger waits) {
        try (Connection connection = DriverManager.getConnection(
                        settings.jdbcUrl(), settings.user(), settings.password().expose());
                var statement = connection.createStatement()) {
            while (!over.get()) {
                try (var rows = statement.executeQuery("SELECT count(*) FROM pg_stat_activity"
                        + " WHERE wait_event_type = 'Lock' AND wait_event = 'object'")) {
                    rows.next();
                    waits.addAndGet(rows.getInt(1));
                }
                TimeUnit.MILLISECONDS.sleep(5);
            }
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        database.close();
        server.close();
    }
}
