package dev.sheaf.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// A disk with less room than `min-free-bytes`: the log says so at the start, and refusals have their own
/// code.
class SmallDiskTest {
    private static final String MODULE = "dev.sheaf.server.module.OpsModule";

    @TempDir
    private Path folder;

    @Test
    void isSaidAtTheStartAndInEachRefusal() {
        var log = new ListAppender<ILoggingEvent>();
        log.start();
        var logger = (Logger) LoggerFactory.getLogger(MODULE);
        logger.addAppender(log);
        try (var app = TestApp.start(folder, Map.of("min-free-bytes", "4611686018427387904"))) {
            assertThat(log.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .anyMatch(line -> line.contains("less than min-free-bytes") && line.contains("507"));

            var refused = app.push("full/kit", "1.0.0", "private", "# x");
            refused.assertRefused("507 storage-full");
            assertThat(refused.problem().detail()).contains("disk is nearly full");
            assertThat(app.get("/problems/storage-full", null).status()).isEqualTo(200);

            var health = app.get("/v1/admin/health", app.admin()).text();
            assertThat(health).contains("\"status\":\"degraded\"", " are free; with less than ");
        } finally {
            logger.detachAppender(log);
        }
    }
}
