package dev.sheaf.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The user's browser, if there is a desktop.
public final class DesktopBrowser {
    /// If the program still runs after this time, it has opened the page or is about to.
    private static final long PATIENCE_SECONDS = 2;

    private DesktopBrowser() {}

    /// Opens a page with the desktop's own program, without a shell.
    ///
    /// @param page an address with `http` or `https`
    /// @return false if there is no desktop or no such program, or if it failed
    public static boolean open(URI page, Map<String, String> environment) {
        if (!page.toString().matches("https?://.+")) {
            throw new IllegalArgumentException("not a web page: " + page);
        }
        var program = Stream.of("DISPLAY", "WAYLAND_DISPLAY")
                        .anyMatch(variable ->
                                !environment.getOrDefault(variable, "").isEmpty())
                ? onPath("xdg-open", environment)
                : Optional.of(Path.of("/usr/bin/open")).filter(open -> isMac());
        return program.filter(path -> runs(path, page)).isPresent();
    }

    private static boolean isMac() {
        return System.getProperty("os.name", "").startsWith("Mac");
    }

    private static Optional<Path> onPath(String program, Map<String, String> environment) {
        return Pattern.compile(File.pathSeparator)
                .splitAsStream(environment.getOrDefault("PATH", ""))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static boolean runs(Path program, URI page) {
        try {
            var process = new ProcessBuilder(program.toString(), page.toString())
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return !process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
