package dev.sheaf.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// Finds the width of the terminal.
final class TerminalWidth {
    /// Assumed if the width is unknown.
    static final int USUAL = 80;

    /// The smallest width; on narrower terminals lines wrap.
    static final int NARROWEST = 40;

    private static final Pattern SIZE = Pattern.compile("\\s*\\d+ (\\d{1,5})\\s*");
    private static final long PATIENCE_MILLIS = 500;

    private TerminalWidth() {}

    /// @param terminal whether standard input and output are a terminal
    static int columns(Map<String, String> environment, boolean terminal) {
        String variable = environment.getOrDefault("COLUMNS", "");
        if (variable.matches("\\d{1,5}")) {
            return Math.max(NARROWEST, Integer.parseInt(variable));
        }
        return terminal ? askStty() : USUAL;
    }

    /// Asks stty(1) for the width, because Java cannot. All systems with terminals have it, except Windows.
    private static int askStty() {
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
