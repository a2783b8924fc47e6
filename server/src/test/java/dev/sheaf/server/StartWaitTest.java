package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.module.NodePort;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Line;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// A node that starts beside a database or bucket that does not answer.
@Timeout(600)
class StartWaitTest {
    private static final Duration SOON = Duration.ofSeconds(200);
    private static final Duration SLOW = Duration.ofSeconds(12); // for each piece

    private final AtomicInteger failures = new AtomicInteger();

    private App start(Config config, NodePort port) {
        try {
            return App.start(config, InstantSource.system(), port);
        } catch (StartException e) {
            failures.incrementAndGet();
            throw e;
        }
    }

    private Map<String, String> settings(Path folder) {
        var settings = new LinkedHashMap<>(TestApp.settings(Stack.POSTGRES_AND_BUCKET, folder, Map.of()));
        settings.put("start-wait-seconds", "240");
        settings.put("port", "" + Ports.free());
        return settings;
    }

    private App started(Config config) {
        return StartWait.start(config, port -> start(config, port));
    }

    /// @param what what the port says that the start waits for
    private void comesUp(Map<String, String> settings, String what, Runnable returns) throws Exception {
        var config = Config.load(settings, Map.of());
        var started = CompletableFuture.supplyAsync(() -> started(config));
        Eventually.within(SOON, () -> failures.get() > 0 || started.isDone());
        assertThat(started).isNotDone();
        try (var node = new Requests("http://127.0.0.1:" + settings.get("port"))) {
            assertWaits(node, what);

            returns.run();

            try (var app = started.get(SOON.toSeconds(), TimeUnit.SECONDS)) {
                assertThat(app.port()).isEqualTo(Integer.parseInt(settings.get("port")));
                assertThat(node.get("/health/ready", null).status()).isEqualTo(200);
            }
        }
    }

    private static void assertWaits(Requests node, String what) {
        Eventually.within(SOON, () -> isOpen(node));
        assertThat(node.get("/health/live", null).text()).isEqualTo("{\"status\":\"up\"}");
        for (String path : List.of("/health/ready", "/v1/hub/bundles", "/v2/", "/")) {
            var refused = node.get(path, null);
            assertThat(refused.status()).as(path).isEqualTo(503);
            assertThat(refused.header("Retry-After")).as(path).isEqualTo("5");
            assertThat(refused.text()).contains("\"this node is not ready: waiting for " + what + "\"");
        }
        assertThat(node.post("/v1/sessions", null, "{}").status()).isEqualTo(503);
    }

    private static boolean isOpen(Requests node) {
        try {
            return node.get("/health/live", null).status() == 200;
        } catch (UncheckedIOException e) {
            return false; // closed
        }
    }

    private static URI database(Map<String, String> settings) {
        return URI.create(String.valueOf(settings.get("database-url")).substring("jdbc:".length()));
    }

    private static String through(Line line, URI database) {
        return "jdbc:postgresql://127.0.0.1:" + line.port() + database.getPath()
                + (database.getQuery() == null ? "" : "?" + database.getQuery());
    }

    @Test
    void waitsForAFrozenDatabase(@TempDir Path folder) throws Exception {
        var settings = settings(folder);
        try (var line = new Line(database(settings), Long.MAX_VALUE)) {
            settings.put("database-url", through(line, database(settings)));
            line.freeze();
            comesUp(settings, "the database", line::thaw);
        }
    }

    @Test
    void waitsForASlowDatabase(@TempDir Path folder) throws Exception {
        var settings = settings(folder);
        try (var line = new Line(database(settings), Long.MAX_VALUE)) {
            settings.put("database-url", through(line, database(settings)));
            line.slow(SLOW);
            comesUp(settings, "the database", () -> line.slow(Duration.ZERO));
        }
    }

    @Test
    void waitsForASlowBucket(@TempDir Path folder) throws Exception {
        var settings = settings(folder);
        try (var line = new Line(URI.create(settings.get("s3-endpoint")), Long.MAX_VALUE)) {
            settings.put("s3-endpoint", "http://127.0.0.1:" + line.port());
            line.slow(SLOW);
            comesUp(settings, "the bucket", () -> line.slow(Duration.ZERO));
        }
    }

    @Test
    void waitsForADatabaseThatRefuses(@TempDir Path folder) throws Exception {
        var settings = settings(folder);
        try (var line = new Line(database(settings), Long.MAX_VALUE)) {
            settings.put("database-url", through(line, database(settings)));
            line.answerWith(new byte[0]);
            comesUp(settings, "the database", () -> answers(line));
        }
    }

    @Test
    void waitsForAFrozenBucket(@TempDir Path folder) throws Exception {
        var settings = settings(folder);
        try (var line = new Line(URI.create(settings.get("s3-endpoint")), Long.MAX_VALUE)) {
            settings.put("s3-endpoint", "http://127.0.0.1:" + line.port());
            line.freeze();
            comesUp(settings, "the bucket", line::thaw);
        }
    }

    @Test
    void waitsForABucketThatFails(@TempDir Path folder) throws Exception {
        var settings = settings(folder);
        try (var line = new Line(URI.create(settings.get("s3-endpoint")), Long.MAX_VALUE)) {
            settings.put("s3-endpoint", "http://127.0.0.1:" + line.port());
            line.answerWith("HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            comesUp(settings, "the bucket", () -> answers(line));
        }
    }

    private static void answers(Line line) {
        try {
            line.answerWith(null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A wrong password or a missing bucket does not pass by itself.
    @Test
    void doesNotWaitForWhatWillNotPass(@TempDir Path folder) throws Exception {
        var settings = settings(folder);
        settings.put("s3-bucket", "never-made");
        var config = Config.load(settings, Map.of());

        assertThatThrownBy(() -> started(config))
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.exit()).isEqualTo(ServerExit.STORAGE_UNREACHABLE));
        assertThat(failures).hasValue(1);
    }

    @Test
    void endsAfterTheLimitAndSaysWhatToDo(@TempDir Path folder) throws Exception {
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        var logger = (Logger) LoggerFactory.getLogger(StartWait.class);
        logger.addAppender(lines);
        var settings = settings(folder);
        settings.put("start-wait-seconds", "5");
        settings.put("database-url", "jdbc:postgresql://127.0.0.1:" + Ports.free() + "/x");
        var config = Config.load(settings, Map.of());

        try {
            assertThatThrownBy(() -> started(config))
                    .isInstanceOfSatisfying(
                            StartException.class, e -> assertThat(e.exit()).isEqualTo(ServerExit.DATABASE_UNREACHABLE))
                    .hasMessageMatching("(?s)the database cannot be opened: .*; this start has waited \\d+ seconds\\."
                            + " Make the database reachable and start this node again, or let it wait longer with"
                            + " start-wait-seconds, which is 5");
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(failures).hasValueGreaterThan(1);
        assertThat(lines.list)
                .as("not with every attempt")
                .hasSize(1)
                .first()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .startsWith("waiting to start, for ");
    }
}
