package dev.sheaf.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.PostgresDatabase;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Echoes;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Line;
import dev.sheaf.server.testing.TestApp;
import java.net.URI;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A node whose PostgreSQL says nothing any more, without closing a connection.
@Timeout(180)
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("slow")
class StalledDatabaseTest {
    /// Each wait ends long before; the machine may be busy.
    private static final Duration SOON = Duration.ofSeconds(60);

    private final PostgresDatabase.Settings direct = Databases.postgres();
    private Line line;
    private TestApp app;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        line = new Line(URI.create(direct.jdbcUrl().substring("jdbc:".length())), Long.MAX_VALUE);
        app = TestApp.start(
                folder,
                Map.of(
                        "database-url",
                        "jdbc:postgresql://127.0.0.1:" + line.port()
                                + direct.jdbcUrl().substring(direct.jdbcUrl().lastIndexOf('/')),
                        "database-user",
                        direct.user(),
                        "database-password",
                        direct.password().expose(),
                        "database-connections",
                        "4"));
        app.push("acme/notes", "1.0.0", "public", "text");
        app.push("acme/hidden", "1.0.0", "private", "text");
        app.push("acme/cold", "1.0.0", "public", "text");
        Echoes.fadeOut(app.database());
        for (String path : WARM) {
            assertThat(app.get(path, null).status()).isEqualTo(200);
        }
        assertThat(app.get(HIDDEN, app.admin()).status()).isEqualTo(200);
    }

    private static final String HIDDEN = "/v1/namespaces/acme/bundles/hidden:resolve?version=1.0.0";
    private static final List<String> WARM =
            List.of("/v1/namespaces/acme/bundles/notes:resolve?version=1.0.0", "/v2/acme/notes/manifests/1.0.0");

    @AfterEach
    void stop() throws Exception {
        app.close();
        line.close();
    }

    @Test
    void requestsEndAndWhatIsPublicAndRememberedIsServed() throws Exception {
        line.freeze();
        var pushes = List.of(push("1.1.0"), push("1.2.0"), push("1.3.0"), push("1.4.0"), push("1.5.0"));
        for (var push : pushes) {
            assertThat(push.get(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo(503);
        }
        Eventually.within(SOON, () -> app.get("/health/ready", null).status() == 503);

        for (String path : WARM) {
            assertThat(app.get(path, null).status()).as(path).isEqualTo(200);
        }
        assertThat(app.get("/health/live", null).status()).isEqualTo(200);
        var cold = app.get("/v1/namespaces/acme/bundles/cold:resolve?version=1.0.0", null);
        assertThat(cold.status()).isEqualTo(503);
        assertThat(cold.header("Retry-After")).isEqualTo("5");
        assertThat(app.get(HIDDEN, app.admin()).status())
                .as("nobody knows whether the key still works")
                .isEqualTo(503);

        line.thaw();

        Eventually.within(SOON, () -> app.get("/health/ready", null).status() == 200);
        assertThat(app.get(HIDDEN, app.admin()).status()).isEqualTo(200);
        assertThat(app.push("acme/notes", "2.0.0", "public", "text").status()).isEqualTo(201);
    }

    /// Once it is known that nobody answers, nobody waits to find it out again.
    @Test
    void requestsAreRefusedAtOnceWhileNobodyAnswers() {
        line.freeze();
        Eventually.within(SOON, () -> app.get("/health/ready", null).status() == 503);
        Eventually.within(SOON, () -> push("1.1.0").join() == 503);
        int connections = line.connections();

        for (int i = 0; i < 200; i++) {
            assertThat(push("1.1." + i).join()).isEqualTo(503);
        }

        assertThat(line.connections() - connections)
                .as("those of the one who tries, and not one for each request")
                .isLessThan(100);
        line.thaw();
    }

    /// As an operator does with SIGSTOP, a debugger or a full disk.
    @Test
    void aServerWhoseBackendsStandStillIsLeftForNewOnes() throws Exception {
        var stopped = backends();
        for (long pid : stopped) {
            signal("STOP", pid);
        }
        try {
            Eventually.within(SOON, () -> push("1.1.0").join() == 201);
            Eventually.within(SOON, () -> app.get("/health/ready", null).status() == 200);
        } finally {
            for (long pid : stopped) {
                signal("CONT", pid);
            }
        }
    }

    private List<Long> backends() throws Exception {
        try (var connection = DriverManager.getConnection(
                        direct.jdbcUrl(), direct.user(), direct.password().expose());
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT pid FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()")) {
            var pids = new ArrayList<Long>();
            while (rows.next()) {
                pids.add(rows.getLong(1));
            }
            return pids;
        }
    }

    private static void signal(String signal, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + signal, String.valueOf(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    private CompletableFuture<Integer> push(String version) {
        return CompletableFuture.supplyAsync(
                () -> app.push("acme/notes", version, "public", "text").status(),
                work -> Thread.ofVirtual().start(work));
    }
}
