package dev.sheaf.server.testing;

import dev.sheaf.engine.blob.PrivateFiles;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.PostgresDatabase;
import dev.sheaf.engine.db.SqliteDatabase;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.schema.Migrations;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/// Fresh, migrated databases. Each is the test's own; the test closes it.
public final class Databases {
    private static final MasterSecret MASTER = MasterSecret.parse(MasterSecret.generate());
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
        copyTemplate(file);
        return new SqliteDatabase(file, 4, clock);
    }

    /// Makes `file` an empty SQLite database with this program's schema, where it is missing: a copy of a migrated
    /// template, because to migrate takes longer than most tests.
    static void copyTemplate(Path file) {
        if (!Files.exists(file)) {
            try {
                PrivateFiles.folder(Objects.requireNonNull(file.getParent()));
                PrivateFiles.touch(file);
                Files.write(file, SqliteTemplate.BYTES);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// The bytes of a migrated database that is closed.
    private static final class SqliteTemplate {
        private static final byte[] BYTES = read();

        private static byte[] read() {
            try {
                Path file = Files.createTempFile("template", ".db");
                try {
                    Migrations.migrate(file);
                    return Files.readAllBytes(file);
                } finally {
                    Files.delete(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// How to reach a database. All nodes of this JVM have the same secret.
    public static PostgresDatabase.Settings at(String url, String user, Secret password, int connections) {
        return new PostgresDatabase.Settings(
                url,
                user,
                password,
                connections,
                null,
                text -> MASTER.seal("test", text.getBytes(StandardCharsets.UTF_8)));
    }

    /// How to reach a new database on the one PostgreSQL of this JVM, a copy of a migrated template.
    public static PostgresDatabase.Settings postgres() {
        return Server.make("test_" + COUNT.incrementAndGet(), " TEMPLATE " + TEMPLATE);
    }

    /// How to reach a new database in which nothing is yet.
    public static PostgresDatabase.Settings emptyPostgres() {
        return Server.make("test_" + COUNT.incrementAndGet(), "");
    }

    /// Whether every stack must start and run: `-Dsheaf.stacks=all`, and in `make test-rest`.
    public static boolean allStacks() {
        return "all".equals(System.getProperty("sheaf.stacks")) || TestRun.isRest();
    }

    /// Started by the first test that asks, stopped with the JVM. Where it does not start, such a test is skipped and
    /// says why; with `-Dsheaf.stacks=all` it fails.
    private static final class Server {
        private static final CompletableFuture<EmbeddedPostgres> POSTGRES = start();

        private static CompletableFuture<EmbeddedPostgres> start() {
            try {
                var postgres = EmbeddedPostgres.builder()
                        .setServerConfig("max_connections", "200")
                        .setServerConfig("fsync", "off")
                        .setServerConfig("full_page_writes", "off")
                        .setServerConfig("autovacuum", "off") // which visits each database of each test each minute
                        .start();
                // sorts as a language does, like most servers that people have: what is to be sorted by bytes must
                // say so
                execute(
                        postgres,
                        "CREATE DATABASE " + TEMPLATE
                                + " TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'");
                Migrations.migrate(settings(postgres, TEMPLATE));
                return CompletableFuture.completedFuture(postgres);
            } catch (IOException | IllegalStateException e) {
                System.err.println("PostgreSQL does not start here: " + e);
                return CompletableFuture.failedFuture(e);
            }
        }

        private static EmbeddedPostgres postgres() {
            if (POSTGRES.isCompletedExceptionally() && !allStacks()) {
                Assumptions.abort("PostgreSQL does not start here: " + POSTGRES.exceptionNow());
            }
            return POSTGRES.join();
        }

        static synchronized PostgresDatabase.Settings make(String name, String more) {
            execute(postgres(), "CREATE DATABASE " + name + more);
            return settings(postgres(), name);
        }

        private static void execute(EmbeddedPostgres postgres, String sql) {
            try (var connection = postgres.getPostgresDatabase().getConnection();
                    var statement = connection.createStatement()) {
                statement.execute(sql);
            } catch (SQLException e) {
                throw new IllegalStateException(sql, e);
            }
        }

        private static PostgresDatabase.Settings settings(EmbeddedPostgres postgres, String name) {
            return at(postgres.getJdbcUrl("postgres", name), "postgres", Secret.of("postgres"), CONNECTIONS);
        }
    }
}
