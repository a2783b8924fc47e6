package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.Exit;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Line;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A node that starts beside a database or bucket that does not answer.
@Timeout(300)
class StartWaitTest {
    private static final Duration SOON = Duration.ofSeconds(120);

    private final AtomicInteger failures = new AtomicInteger();

    private App start(Config config) {
        try {
            return App.start(config);
        } catch (StartException e) {
            failures.incrementAndGet();
            throw e;
        }
    }

    private Map<String, String> settings(Path folder) {
        var settings = new LinkedHashMap<>(TestApp.settings(Stack.POSTGRES_AND_BUCKET, folder, Map.of()));
        settings.put("start-wait-seconds", "240");
        return settings;
    }

    private void comesUp(Map<String, String> settings, Runnable returns) throws Exception {
        var config = Config.load(settings, Map.of());
        var started = CompletableFuture.supplyAsync(() -> StartWait.start(config, this::start));
        Eventually.within(SOON, () -> failures.get() > 0 || started.isDone());
        assertThat(started).isNotDone();

        returns.run();

        try (var app = started.get(SOON.toSeconds(), TimeUnit.SECONDS)) {
            assertThat(app.port()).isPositive();
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
            comesUp(settings, line::thaw);
        }
    }

    @Test
    void waitsForADatabaseThatRefuses(@TempDir Path folder) throws Exception {
        var settings = settings(folder);
        try (var line = new Line(database(settings), Long.MAX_VALUE)) {
            settings.put("database-url", through(line, database(settings)));
            line.answerWith(new byte[0]);
            comesUp(settings, () -> answers(line));
        }
    }

    @Test
    void waitsForAFrozenBucket(@TempDir Path folder) throws Exception {
        var settings = settings(folder);
        try (var line = new Line(URI.create(settings.get("s3-endpoint")), Long.MAX_VALUE)) {
            settings.put("s3-endpoint", "http://127.0.0.1:" + line.port());
            line.freeze();
            comesUp(settings, line::thaw);
        }
    }

    @Test
    void waitsForABucketThatFails(@TempDir Path folder) throws Exception {
        var settings = settings(folder);
        try (var line = new Line(URI.create(settings.get("s3-endpoint")), Long.MAX_VALUE)) {
            settings.put("s3-endpoint", "http://127.0.0.1:" + line.port());
            line.answerWith("HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            comesUp(settings, () -> answers(line));
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

        assertThatThrownBy(() -> StartWait.start(config, this::start))
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.exit()).isEqualTo(Exit.STORAGE_UNREACHABLE));
        assertThat(failures).hasValue(1);
    }

    @Test
    void endsAfterTheLimit(@TempDir Path folder) throws Exception {
        var settings = settings(folder);
        settings.put("start-wait-seconds", "1");
        settings.put("database-url", "jdbc:postgresql://127.0.0.1:" + Ports.free() + "/x");
        var config = Config.load(settings, Map.of());

        assertThatThrownBy(() -> StartWait.start(config, this::start))
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.exit()).isEqualTo(Exit.DATABASE_UNREACHABLE));
        assertThat(failures).hasValueGreaterThan(1);
    }
}
