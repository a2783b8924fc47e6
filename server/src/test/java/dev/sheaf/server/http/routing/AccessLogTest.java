package dev.sheaf.server.http.routing;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class AccessLogTest {
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(AccessLog.class);

    @TempDir
    private Path folder;

    @BeforeEach
    void listen() {
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    private List<String> logged() {
        return lines.list.stream()
                .map(line -> line.getKeyValuePairs().toString())
                .toList();
    }

    @Test
    void logsEveryRequestWithItsRouteAndWithoutSecrets() {
        try (var app = TestApp.start(folder, Map.of("access-log", "1"))) {
            app.get("/v1/namespaces/acme/bundles/kit?x=secret", null);
            app.get("/v1/namespaces/shf_0123456789abcdef/bundles/kit", null);
        }
        assertThat(logged()).hasSize(2);
        assertThat(logged().getFirst())
                .contains(
                        "method=\"GET\"",
                        "route=\"/v1/namespaces/{namespace}/bundles/{bundle}\"",
                        "status=\"401\"",
                        "caller=\"anonymous\"",
                        "from=\"127.0.0.1\"")
                .doesNotContain("secret");
        assertThat(logged().getLast()).contains("***").doesNotContain("0123456789abcdef");
    }

    @Test
    void cutsALongMethod() {
        try (var app = TestApp.start(folder, Map.of("access-log", "1"))) {
            app.send("A".repeat(3_000), "/v1/me", null, null);
        }
        assertThat(logged()).singleElement().asString().contains("method=\"" + "A".repeat(20) + "...\"");
    }

    @Test
    void logsAShareOfThem() {
        try (var app = TestApp.start(folder, Map.of("access-log", "10"))) {
            for (int i = 0; i < 100; i++) {
                app.get("/health/live", null);
            }
        }
        assertThat(lines.list).hasSize(10);
    }

    @Test
    void logsNothingByDefault() {
        try (var app = TestApp.start(folder)) {
            app.get("/health/live", null);
        }
        assertThat(lines.list).isEmpty();
    }
}
