package dev.sheaf.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.program.ServerProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the log of a server process says about an outage of its PostgreSQL.
@Timeout(300)
@SuppressWarnings("NullAway.Init") // set before each test
class DatabaseOutageTest {
    private static final String PATH = "/v1/namespaces/acme/bundles/notes:resolve?version=1.0.0";
    private static final Pattern LINE = Pattern.compile("^\\d{4}-\\d\\d-\\d\\dT");
    private static final Duration SOON = Duration.ofSeconds(100);

    @TempDir
    private Path folder;

    private EmbeddedPostgres database;
    private ServerProcess node;

    @BeforeEach
    void start() throws IOException {
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        database = started(port);
        node = ServerProcess.start(
                folder.resolve("node"),
                List.of(),
                List.of(
                        "--database-url=jdbc:postgresql://localhost:" + port + "/postgres",
                        "--database-user=postgres",
                        "--database-password=postgres"));
    }

    private EmbeddedPostgres started(int port) {
        try {
            return EmbeddedPostgres.builder()
                    .setPort(port)
                    .setDataDirectory(folder.resolve("database"))
                    .setCleanDataDirectory(false)
                    .start();
        } catch (IOException | IllegalStateException e) {
            return Assumptions.abort("PostgreSQL does not start here: " + e);
        }
    }

    @AfterEach
    void stop() throws IOException {
        if (node != null) {
            node.close();
        }
        database.close();
    }

    @Test
    void anOutageIsAFewLinesWithItsCauseAndItsLength() throws Exception {
        int port = database.getPort();
        database.close();
        node.awaitLog("the database does not answer; requests that need it are refused until it does", 1);
        for (int i = 0; i < 5; i++) {
            assertThat(status()).isEqualTo(503);
        }
        assertThat(status("Authorization", "Bearer " + node.adminKey().expose()))
                .isEqualTo(503);
        database = started(port);
        node.awaitLog("the database answers again", 1);
        Eventually.within(SOON, () -> status() != 503);

        var log = node.stop();

        assertThat(log).noneMatch(line -> line.startsWith("\t") || line.contains("Exception"));
        assertThat(log).filteredOn(line -> line.contains(", anonymous from ")).hasSizeGreaterThan(4);
        assertThat(log)
                .filteredOn(line -> line.contains(", unchecked credential from "))
                .hasSize(1);
        var lines = log.stream()
                .filter(line -> LINE.matcher(line).find() && !line.contains("RefusalLog"))
                .toList();
        // on a busy machine a connection may break once more while the database starts
        assertThat(lines).hasSizeBetween(2, 30);
        assertThat(lines)
                .filteredOn(line -> line.contains("the database does not answer; "))
                .isNotEmpty()
                .allMatch(line -> line.matches(".* until it does: [^:]+.*"));
        assertThat(lines)
                .filteredOn(line -> line.contains(" again, after "))
                .isNotEmpty()
                .allMatch(line -> line.matches(".*, after \\d+ seconds?"));
    }

    private int status(String... headers) {
        var request = HttpRequest.newBuilder(URI.create(node.url() + PATH));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try (var http = HttpClient.newHttpClient()) {
            return http.send(request.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
