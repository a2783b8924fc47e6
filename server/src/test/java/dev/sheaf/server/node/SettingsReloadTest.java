package dev.sheaf.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class SettingsReloadTest {
    private final List<Config> applied = new ArrayList<>();

    @TempDir
    private Path folder;

    private Path file;
    private SettingsReload reload;

    @BeforeEach
    void start() throws Exception {
        file = Files.writeString(folder.resolve("sheaf.conf"), "log-level = info\nport = 1\n");
        var config = Config.load(Map.of("config", file.toString()), Map.of());
        reload = new SettingsReload(config.source().orElseThrow(), config, applied::add);
    }

    /// A change counts at the second check.
    private void settle() {
        reload.check();
        reload.check();
    }

    @Test
    void appliesAChangeOnce() throws Exception {
        reload.check();
        assertThat(applied).isEmpty();

        Files.writeString(file, "log-level = debug\nport = 1\n");
        settle();
        settle();

        assertThat(applied).hasSize(1);
        assertThat(applied.getFirst().text(Setting.LOG_LEVEL)).isEqualTo("debug");
    }

    @Test
    void logsTheNewValues() throws Exception {
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        var logger = (Logger) LoggerFactory.getLogger(SettingsReload.class);
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
        try {
            Files.writeString(file, "log-level = info\nport = 1\nread-only = true\n");
            settle();
            Files.writeString(file, "log-level = info\nport = 2\n");
            settle();
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(null);
        }

        String start = "settings read again from " + file;
        assertThat(List.copyOf(lines.list))
                .extracting(ILoggingEvent::getFormattedMessage)
                .contains(
                        start + ": now in effect: read-only = true",
                        start + ": now in effect: read-only = false; after a restart: port");
    }

    @Test
    void keepsTheSettingsWhileTheFileIsInvalidOrMissing() throws Exception {
        Files.writeString(file, "log-level = loud\n");
        settle();
        Files.delete(file);
        settle();
        assertThat(applied).isEmpty();

        Files.writeString(file, "log-level = warn\nport = 1\n");
        settle();
        assertThat(applied).hasSize(1);
    }

    @Test
    void leavesSettingsThatNeedARestart() throws Exception {
        Files.writeString(file, "log-level = info\nport = 2\n");
        settle();

        assertThat(applied).isEmpty();
    }

    @Test
    void waitsUntilTheFileIsComplete() throws Exception {
        Files.writeString(file, "log-level = debug\n");
        reload.check();
        Files.writeString(file, "log-level = debug\nread-only = true\n");
        reload.check();
        assertThat(applied).isEmpty();

        reload.check();
        assertThat(applied).hasSize(1);
        assertThat(applied.getFirst().isOn(Setting.READ_ONLY)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n \n"})
    void keepsTheSettingsWhileTheFileIsEmpty(String content) throws Exception {
        Files.writeString(file, "log-level = info\nread-only = true\n");
        settle();
        applied.clear();

        Files.writeString(file, content);
        settle();

        assertThat(applied).isEmpty();
    }

    @Test
    void readsNothingLargeOrEndless() throws Exception {
        String large = "log-level = debug\n# ";
        Files.writeString(file, large + "x".repeat((1 << 20) + 1 - large.length()));
        settle();
        assertThat(applied).isEmpty();

        Files.delete(file);
        Files.createSymbolicLink(file, Path.of("/dev/zero"));
        assertTimeoutPreemptively(Duration.ofSeconds(10), this::settle);
        assertThat(applied).isEmpty();

        Files.delete(file);
        Files.writeString(file, large + "x".repeat((1 << 20) - large.length()));
        settle();
        assertThat(applied).hasSize(1);
    }
}
