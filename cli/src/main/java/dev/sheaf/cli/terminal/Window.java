package dev.sheaf.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// How wide the terminal is.
final class Window {
    /// What is assumed where nothing tells.
    static final int USUAL = 80;

    /// Narrower ones have lines broken by the terminal.
    static final int NARROWEST = 40;

    private static final Pattern SIZE = Pattern.compile("\\s*\\d+ (\\d{1,5})\\s*");
    private static final long PATIENCE_MILLIS = 500;

    private Window() {}

    /// @param terminal whether there is one
    static int columns(Map<String, String> environment, boolean terminal) {
        String variable = environment.getOrDefault("COLUMNS", "");
        if (variable.matches("\\d{1,5}")) {
            return Math.max(NARROWEST, Integer.parseInt(variable));
        }
        return terminal ? asked() : USUAL;
    }

    /// Java has no way to ask; every system with terminals but Windows has stty(1).
    private static int asked() {
        try {
            var stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (stty.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                var size = SIZE.matcher(new String(stty.getInputStream().readNBytes(100), StandardCharsets.US_ASCII));
                if (size.matches() && Integer.parseInt(size.group(1)) > 0) {
                    return Math.max(NARROWEST, Integer.parseInt(size.group(1)));
                }
            } else {
                stty.destroyForcibly();
            }
        } catch (IOException e) {
            // no such program, or no terminal
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return USUAL;
    }
}
