package dev.sheaf.server.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// Where operators see that a node is read-only: in its log, metrics and health.
@Timeout(120)
class ModeShownTest {
    private static final String MODE = "/v1/admin/mode";
    private static final String UNTIL = ": it refuses changes until `sheaf admin mode writable`";

    private final Logger logger = (Logger) LoggerFactory.getLogger(ReadOnlyMode.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @TempDir
    private Path folder;

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void end() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    private long lines(String message) {
        return List.copyOf(log.list).stream()
                .filter(line -> line.getFormattedMessage().equals(message))
                .count();
    }

    private static void soon(BooleanSupplier condition) {
        Eventually.within(Duration.ofSeconds(60), condition);
    }

    private static void set(TestApp app, String json) {
        assertThat(app.send("PUT", MODE, app.admin(), json).status()).isEqualTo(200);
    }

    private static boolean shows(TestApp app, String metric) {
        return app.get("/metrics", null).text().lines().anyMatch(metric::equals);
    }

    @Test
    void everyNodeLogsAndCountsWhatTheModeBecomes() {
        try (var one = TestApp.start(Stack.POSTGRES_AND_BUCKET, folder.resolve("one"));
                var other = one.another(folder.resolve("other"))) {
            set(one, "{\"readOnly\": true, \"reason\": \"a larger\\n\\u001b[31mdisk\"}");

            String readOnly = "the installation is read-only (a larger [31mdisk)" + UNTIL;
            soon(() -> lines(readOnly) == 2);
            soon(() -> shows(one, "sheaf_read_only 1.0") && shows(other, "sheaf_read_only 1.0"));
            assertThat(other.push("mode/kit", "1.0.0", "public", "# Kit").status())
                    .isEqualTo(503);
            assertThat(shows(other, "sheaf_read_only_refusals_total 1.0")).isTrue();
            assertThat(shows(one, "sheaf_read_only_refusals_total 0.0")).isTrue();

            set(other, "{\"readOnly\": false}");
            soon(() -> lines("the installation is writable") == 2);
            soon(() -> shows(one, "sheaf_read_only 0.0") && shows(other, "sheaf_read_only 0.0"));
            assertThat(lines(readOnly)).as("once for each node").isEqualTo(2);
        }
    }

    @Test
    void aNodeThatStartsReadOnlySaysHowToEndIt() {
        var before = TestApp.start(folder);
        set(before, "{\"readOnly\": true}");
        before.close();
        log.list.clear();
        try (var app = before.startOn(before.with(Map.of("read-only", "true")))) {
            soon(() -> lines("the installation is read-only" + UNTIL) == 1);
            assertThat(lines("this node is read-only: it refuses changes while its setting read-only is true"))
                    .isEqualTo(1);

            set(app, "{\"readOnly\": false}");
            assertThat(lines("the installation is writable")).isEqualTo(1);
            assertThat(app.get(MODE, app.admin()).text())
                    .as("the setting wins")
                    .contains("\"readOnly\":true", "\"setBy\":\"setting\"");
            assertThat(shows(app, "sheaf_read_only 1.0")).isTrue();
        }
    }

    @Test
    void healthShowsTheModeAndStaysUp() {
        try (var app = TestApp.start(folder)) {
            set(app, "{\"readOnly\": true, \"reason\": \"moving\"}");

            for (String path : List.of("/v1/admin/health", "/health/ready")) {
                var health = app.get(path, app.admin());
                assertThat(health.status()).isEqualTo(200);
                assertThat(health.json().at("/mode/readOnly").asBoolean()).isTrue();
                assertThat(health.json().at("/mode/reason").asString()).isEqualTo("moving");
            }
        }
    }
}
