package dev.sheaf.server.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.PostgresDatabase;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.PgBouncer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How long two of three nodes still take a key that the first has revoked: with and without PgBouncer, and while
/// connections to PostgreSQL are killed or frozen.
@Tag("measure")
@Timeout(300)
@Tag("programs")
class RevocationTimesTest {
    private static final int KEYS = 20;
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private final PostgresDatabase.Settings direct = Databases.postgres();

    /// What happens to the connections of all nodes just before the key is revoked.
    private enum Disturbance {
        NONE,
        KILLED,
        LISTEN_FROZEN
    }

    @ParameterizedTest
    @CsvSource({"NONE,false", "KILLED,false", "LISTEN_FROZEN,false", "NONE,true", "KILLED,true"})
    void isRefusedEverywhereWithinASecond(Disturbance disturbance, boolean isPooled, @TempDir Path folder)
            throws Exception {
        try (var pooler = isPooled ? PgBouncer.before(direct, folder) : null) {
            var settings = Map.of(
                    "database-url", pooler == null ? direct.jdbcUrl() : pooler.jdbcUrl(),
                    "database-user", direct.user(),
                    "database-password", direct.password().expose());
            var stack = Stack.POSTGRES_AND_BUCKET;
            try (var first = TestApp.start(stack, folder.resolve("0"), InstantSource.system(), settings);
                    var second = first.another(folder.resolve("1"));
                    var third = first.another(folder.resolve("2"))) {
                var times = new ArrayList<Long>();
                for (int i = 0; i < KEYS; i++) {
                    times.addAll(revoke(first, List.of(second, third), disturbance));
                }

                times.sort(null);
                System.out.printf(
                        "%s%s: median %d ms, most %d ms, of %d%n",
                        disturbance,
                        isPooled ? ", PgBouncer" : "",
                        times.get(times.size() / 2),
                        times.getLast(),
                        times.size());
                assertThat(times.getLast()).as("%s", times).isLessThan(LIMIT.toMillis());
            }
        }
    }

    /// Returns after how many milliseconds each of the others refused the key.
    private List<Long> revoke(TestApp first, List<TestApp> others, Disturbance disturbance) throws Exception {
        var key = first.newKey("{\"name\": \"goes\"}");
        String secret = requireNonNull(key.key());
        for (var other : others) {
            assertThat(other.get("/v1/me", secret).status()).isEqualTo(200);
        }
        var frozen = disturb(disturbance);
        try {
            String path = "/v1/organizations/default/api-keys/" + key.id();
            while (first.send("DELETE", path, first.admin(), null).status() == 503) {} // on a killed connection
            long begin = System.nanoTime();
            var times = new ArrayList<Long>();
            for (var other : others) {
                while (other.get("/v1/me", secret).status() != 401) {
                    assertThat(System.nanoTime() - begin).isLessThan(60_000_000_000L);
                }
                times.add((System.nanoTime() - begin) / 1_000_000);
            }
            return times;
        } finally {
            signal("CONT", frozen);
        }
    }

    /// Returns the processes of PostgreSQL that are frozen now.
    private List<Long> disturb(Disturbance disturbance) throws SQLException, IOException, InterruptedException {
        var pids = new ArrayList<Long>();
        try (var connection = DriverManager.getConnection(
                        direct.jdbcUrl(), direct.user(), direct.password().expose());
                var statement = connection.createStatement()) {
            String others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
            switch (disturbance) {
                case NONE -> {}
                case KILLED ->
                    statement
                            .executeQuery("SELECT pg_terminate_backend(pid) " + others)
                            .close();
                case LISTEN_FROZEN -> {
                    try (var found = statement.executeQuery("SELECT pid " + others + " AND query ILIKE 'LISTEN%'")) {
                        while (found.next()) {
                            pids.add(found.getLong(1));
                        }
                    }
                    assertThat(pids).isNotEmpty();
                }
            }
        }
        signal("STOP", pids);
        return pids;
    }

    private static void signal(String name, List<Long> pids) throws IOException, InterruptedException {
        for (long pid : pids) {
            assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                            .start()
                            .waitFor())
                    .isZero();
        }
    }
}
