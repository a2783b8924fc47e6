package dev.sheaf.server.testing;

import dev.sheaf.model.Secret;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Migrations;
import dev.sheaf.server.db.PostgresDatabase;
import dev.sheaf.server.db.SqliteDatabase;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;

/// Fresh, migrated databases. Each is the test's own; the test closes it.
public final class Databases {
    private static final int CONNECTIONS = 8;
    private static final String TEMPLATE = "sheaf_template";
    private static final AtomicInteger COUNT = new AtomicInteger();

    private Databases() {}

    /// The kinds of database that every contract suite runs on.
    public enum Kind {
        SQLITE,
        POSTGRES;

        public Database open(Path folder, InstantSource clock) {
            return switch (this) {
                case SQLITE -> sqlite(folder.resolve("sheaf.db"), clock);
                case POSTGRES -> new PostgresDatabase(postgres(), clock);
            };
        }
    }

    /// The database in `file`, which is created and migrated where it is missing.
    public static SqliteDatabase sqlite(Path file, InstantSource clock) {
        Migrations.migrate(file);
        return new SqliteDatabase(file, 4, clock);
    }

    /// How to reach a new database on the one PostgreSQL of this JVM, a copy of a migrated template.
    public static PostgresDatabase.Settings postgres() {
        String name = "test_" + COUNT.incrementAndGet();
        Server.execute("CREATE DATABASE " + name + " TEMPLATE " + TEMPLATE);
        return Server.settings(name);
    }

    /// How to reach a new database in which nothing is yet.
    public static PostgresDatabase.Settings emptyPostgres() {
        String name = "test_" + COUNT.incrementAndGet();
        Server.execute("CREATE DATABASE " + name);
        return Server.settings(name);
    }

    /// Started by the first test that asks, stopped with the JVM.
    private static final class Server {
        private static final EmbeddedPostgres POSTGRES = start();

        static {
            // sorts as a language does, like most servers that people have: what is to be sorted by bytes must say so
            execute("CREATE DATABASE " + TEMPLATE
                    + " TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'");
            Migrations.migrate(settings(TEMPLATE));
        }

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setServerConfig("max_connections", "200")
                        .setServerConfig("fsync", "off")
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        static synchronized void execute(String sql) {
            try (var connection = POSTGRES.getPostgresDatabase().getConnection();
                    var statement = connection.createStatement()) {
                statement.execute(sql);
            } catch (SQLException e) {
                throw new IllegalStateException(sql, e);
            }
        }

        static PostgresDatabase.Settings settings(String name) {
            return new PostgresDatabase.Settings(
                    POSTGRES.getJdbcUrl("postgres", name), "postgres", Secret.of("postgres"), CONNECTIONS);
        }
    }
}
