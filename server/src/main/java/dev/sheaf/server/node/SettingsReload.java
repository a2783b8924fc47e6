package dev.sheaf.server.node;

import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.FileFailure;
import dev.sheaf.server.config.Setting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the settings file again when it has changed, and applies the settings that may change while a node runs.
/// A change counts when two checks in a row find the same content, because a program may be writing the file.
public final class SettingsReload {
    /// The settings that need no restart.
    public static final Set<Setting> LIVE = EnumSet.of(
            Setting.LOG_LEVEL,
            Setting.ACCESS_LOG,
            Setting.READ_ONLY,
            Setting.TRACE_RATIO,
            Setting.RATE_ANONYMOUS_READS,
            Setting.RATE_READS,
            Setting.RATE_WRITES,
            Setting.RATE_CONTENT,
            Setting.RATE_RUNNER,
            Setting.RATE_FAILED_AUTHENTICATIONS);

    private static final Logger LOG = LoggerFactory.getLogger(SettingsReload.class);

    private static final int MAX_BYTES = 1 << 20;

    private final Path file;
    private final Consumer<Config> apply;
    private Config current;
    private Content seen;
    private Content last;

    /// What one check found in the file.
    ///
    /// @param text the bytes as characters; empty if there is a fault
    /// @param fault why the content is not used; empty if it is
    private record Content(String text, String fault) {
        byte[] bytes() {
            return text.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    /// @param file the settings file
    /// @param apply receives all settings after a live setting has changed
    public SettingsReload(Path file, Config current, Consumer<Config> apply) {
        this.file = file;
        this.current = current;
        this.apply = apply;
        this.seen = content();
        this.last = seen;
    }

    private Content content() {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            return new Content("", "it is not a regular file");
        }
        try (var in = Files.newInputStream(file)) {
            String text = new String(in.readNBytes(MAX_BYTES + 1), StandardCharsets.ISO_8859_1);
            if (text.length() > MAX_BYTES) {
                return new Content("", "it is larger than " + MAX_BYTES + " bytes");
            }
            return text.isBlank() ? new Content("", "it is empty") : new Content(text, "");
        } catch (IOException e) {
            return new Content("", "it cannot be read: " + FileFailure.words(e));
        }
    }

    /// Reads the file, and applies its content if it has changed and is still the same as at the check before. An
    /// invalid, empty or missing file is logged once and changes nothing.
    public synchronized void check() {
        var now = content();
        boolean isSettled = now.equals(last);
        last = now;
        if (!isSettled || now.equals(seen)) {
            return;
        }
        seen = now;
        if (!now.fault().isEmpty()) {
            LOG.error("the settings in {} stay as they were: {}", file, now.fault());
            return;
        }
        try {
            read(current.again(now.bytes()));
        } catch (Config.InvalidException e) {
            LOG.error("the settings in {} stay as they were: {}", file, e.getMessage());
        }
    }

    private void read(Config next) {
        var live = changed(next)
                .filter(LIVE::contains)
                .map(setting -> setting.key() + " = " + next.shown(setting))
                .toList();
        var waiting = changed(next)
                .filter(setting -> !LIVE.contains(setting))
                .map(Setting::key)
                .toList();
        if (!live.isEmpty()) {
            apply.accept(next);
        }
        LOG.info("settings read again from {}: {}{}", file, words(live), hint(waiting));
        current = next;
    }

    private Stream<Setting> changed(Config next) {
        return Arrays.stream(Setting.values())
                .filter(setting -> !next.text(setting).equals(current.text(setting)));
    }

    private static String words(List<String> changed) {
        return changed.isEmpty()
                ? "no setting changed that takes effect without a restart"
                : "now in effect: " + String.join(", ", changed);
    }

    private static String hint(List<String> waiting) {
        return waiting.isEmpty() ? "" : "; after a restart: " + String.join(", ", waiting);
    }
}
