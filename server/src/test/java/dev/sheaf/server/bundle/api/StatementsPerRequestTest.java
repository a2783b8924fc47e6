package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.TestApp;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The statements per request that docs/scale.md names, as PostgreSQL itself counts them (pg_stat_statements). The
/// requests are so many that the statements of timers are fewer.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class StatementsPerRequestTest {
    private static final int REQUESTS = 200;
    private static final int PUBLISHES = 40;
    private static final int MOST = 18;
    /// Not of the publish: its transaction's begin and end, the messages to other nodes, and the numbering of events
    /// afterwards, which sends messages too, the more the longer the pushes take.
    private static final Pattern OTHER = Pattern.compile(
            "BEGIN|COMMIT|.*pg_notify.*|INSERT INTO announcement.*|.*pg_current_snapshot.*|.*event_feed.*|.* event (WHERE|SET) seq.*",
            Pattern.DOTALL);

    @SuppressWarnings("NullAway.Init") // set by JUnit
    private EmbeddedPostgres postgres;

    @SuppressWarnings("NullAway.Init") // set by JUnit
    private Connection connection;

    @SuppressWarnings("NullAway.Init") // set by JUnit
    private TestApp app;

    @BeforeAll
    void start(@TempDir Path folder) throws SQLException {
        try {
            postgres = EmbeddedPostgres.builder()
                    .setServerConfig("shared_preload_libraries", "pg_stat_statements")
                    .setServerConfig("fsync", "off")
                    .start();
            connection = postgres.getPostgresDatabase().getConnection();
            execute("CREATE EXTENSION pg_stat_statements");
        } catch (IOException | IllegalStateException | SQLException e) {
            if (Databases.allStacks()) {
                throw new IllegalStateException(e);
            }
            Assumptions.abort("PostgreSQL with pg_stat_statements does not start here: " + e);
        }
        app = TestApp.start(
                folder,
                Map.of("database-url", postgres.getJdbcUrl("postgres", "postgres"), "database-user", "postgres"));
        push(1, 3);
    }

    @AfterAll
    void stop() throws IOException, SQLException {
        if (app != null) {
            app.close();
        }
        if (connection != null) {
            connection.close();
        }
        if (postgres != null) {
            postgres.close();
        }
    }

    private void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void push(int major, int times) {
        for (int i = 0; i < times; i++) {
            String version = major + "." + i + ".0";
            assertThat(app.push("count/notes", version, "public", "Notes of " + version)
                            .status())
                    .isEqualTo(201);
        }
    }

    /// The statements that PostgreSQL executed during some work, and how often.
    private Map<String, Long> during(Runnable work) throws SQLException {
        execute("SELECT pg_stat_statements_reset()");
        work.run();
        var found = new LinkedHashMap<String, Long>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT query, sum(calls) FROM pg_stat_statements GROUP BY query")) {
            while (rows.next()) {
                found.put(rows.getString(1), rows.getLong(2));
            }
        }
        return found;
    }

    private void assertNoQueries(String path) throws SQLException {
        app.get(path, app.admin()); // from now on in memory

        var seen = during(() -> {
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(app.get(path, app.admin()).status()).isEqualTo(200);
            }
        });

        assertThat(seen.values()).as(seen.toString()).allMatch(calls -> calls < REQUESTS);
    }

    @Test
    void aReadFromMemoryHasNone() throws SQLException {
        var resolved = app.get("/v1/namespaces/count/bundles/notes:resolve", app.admin())
                .as(Resolution.class);
        String blob = resolved.manifest().layers().getFirst().contentSha256();

        assertNoQueries("/v1/namespaces/count/bundles/notes:resolve");
        assertNoQueries("/v2/count/notes/manifests/" + resolved.ociDigest());
        assertNoQueries("/v2/count/notes/blobs/sha256:" + blob);
    }

    @Test
    void aPublishHasAtMostEighteen() throws SQLException {
        var seen = during(() -> push(2, PUBLISHES));

        seen.values().removeIf(calls -> calls < PUBLISHES);
        seen.keySet().removeIf(sql -> OTHER.matcher(sql).matches());
        long all = seen.values().stream().mapToLong(calls -> calls / PUBLISHES).sum();
        assertThat(all).as(String.join("\n", seen.keySet())).isBetween(1L, (long) MOST);
        System.out.println("statements per publish: " + all);
    }
}
