package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A shell on a terminal, played by tmux with a server of its own: what is typed arrives as if somebody typed it,
/// and what is seen is what a terminal shows, after all that moves a cursor and clears a line.
public final class TmuxSession implements AutoCloseable {
    private static final int WIDTH = 120;
    private static final int HEIGHT = 50;
    private static final int PATIENCE_SECONDS = 60; // without any change

    private final String socket;
    private final Semaphore changes = new Semaphore(0);
    private @Nullable Process watch;
    private int commands;

    private TmuxSession(Path folder) {
        this.socket = folder.resolve("tmux").toString();
    }

    /// A shell in which `sheaf` is the command.
    public static TmuxSession start(Path folder, Map<String, String> environment)
            throws IOException, InterruptedException {
        return start(folder, environment, WIDTH);
    }

    /// The same on a terminal of so many columns.
    public static TmuxSession start(Path folder, Map<String, String> environment, int width)
            throws IOException, InterruptedException {
        ChildProcess.assumeInstalled("tmux", "tmux");
        var session = new TmuxSession(folder);
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Path sheaf = Files.writeString(
                bin.resolve("sheaf"),
                "#!/bin/sh\nexec '" + String.join("' '", ChildProcess.sheaf("-Dstderr.encoding=UTF-8")) + "' \"$@\"\n");
        assertThat(sheaf.toFile().setExecutable(true)).isTrue();
        var shell = new StringBuilder("exec env -i TERM=screen-256color LC_ALL=C.UTF-8 PS1='$ ' HOME='" + folder
                + "' PATH='" + bin + File.pathSeparator + System.getenv("PATH") + "'");
        environment.forEach((name, value) ->
                shell.append(' ').append(name).append("='").append(value).append('\''));
        shell.append(" sh");
        session.tmux("-f", "/dev/null", "new-session", "-d", "-x", "" + width, "-y", "" + HEIGHT, shell.toString());
        try {
            session.watch();
            session.await("$");
            return session;
        } catch (IOException | InterruptedException | AssertionError e) {
            session.close();
            throw e;
        }
    }

    /// Has tmux tell of all that the shell writes, a line each (tmux(1), "Control mode").
    private void watch() throws IOException {
        var started = new ProcessBuilder("tmux", "-S", socket, "-C", "attach-session").start();
        watch = started;
        Thread.ofVirtual().start(() -> {
            try (var lines = started.inputReader(StandardCharsets.UTF_8)) {
                while (lines.readLine() != null) {
                    changes.release();
                }
            } catch (IOException e) {
                // closed
            }
        });
    }

    private String tmux(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("tmux", "-u", "-S", socket));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(String.join(" ", command) + ": " + out).isZero();
        return out;
    }

    /// What the terminal shows now, without empty lines at the end.
    public String screen() throws IOException, InterruptedException {
        return tmux("capture-pane", "-p").stripTrailing();
    }

    /// The same with the sequences that colour it.
    public String coloured() throws IOException, InterruptedException {
        return tmux("capture-pane", "-p", "-e").stripTrailing();
    }

    /// Waits until the terminal shows this; the screen then.
    public String await(String part) throws IOException, InterruptedException {
        changes.drainPermits();
        String screen = screen();
        while (!screen.contains(part)) {
            assertThat(changes.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("waiting for \"%s\" on\n%s", part, screen)
                    .isTrue();
            changes.drainPermits();
            screen = screen();
        }
        return screen;
    }

    /// Empties the screen and types a command.
    public void type(String command) throws IOException, InterruptedException {
        commands++;
        tmux("send-keys", "-l", "printf '\\33[H\\33[2J'; " + command + "; echo \"[" + commands + ": $?]\"");
        tmux("send-keys", "Enter");
    }

    /// Types without a line of its own: an answer, or a key such as `C-c`.
    public void press(String... keys) throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of("send-keys"));
        all.addAll(List.of(keys));
        tmux(all.toArray(String[]::new));
    }

    /// Types a command and waits for its end; what it showed.
    public String run(String command, int status) throws IOException, InterruptedException {
        type(command);
        return end(status);
    }

    /// Waits for the end of the command that runs.
    public String end(int status) throws IOException, InterruptedException {
        String screen = await("\n[" + commands + ": ");
        assertThat(screen).contains("\n[" + commands + ": " + status + "]");
        return screen;
    }

    @Override
    public void close() throws IOException {
        try {
            tmux("kill-server");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (watch != null) {
                watch.destroyForcibly();
            }
        }
    }
}
