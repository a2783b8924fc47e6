package dev.sheaf.cli.terminal;

import dev.sheaf.client.api.Directories;
import dev.sheaf.client.credentials.Keychain;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// The environment of a command: its input, output, variables and folders. Tests pass their own.
///
/// @param terminal whether a person sees standard error
public record Shell(
        InputStream in,
        PrintStream out,
        PrintStream err,
        boolean terminal,
        Map<String, String> environment,
        Directories directories,
        Keychain keychain) {
    private static final int LONGEST_LINE = 4_000;
    private static final String RED = "\u001b[31m";
    private static final String PLAIN = "\u001b[0m";

    public static Shell ofThisProcess() {
        var environment = System.getenv();
        String platform = System.getProperty("os.name", "");
        boolean terminal = isTerminal(environment);
        return new Shell(
                System.in,
                standardOutput(),
                System.err,
                terminal,
                environment,
                Directories.ofThisUser(),
                Keychain.ofThisUser(environment, platform));
    }

    private static PrintStream standardOutput() {
        var encoding = Charset.forName(System.getProperty("stdout.encoding", "UTF-8"));
        return new StandardOutput(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), encoding);
    }

    /// Returns whether a progress bar can be drawn: standard input and output are a terminal, and it can draw
    /// bars. Java does not report whether standard error is a terminal.
    private static boolean isTerminal(Map<String, String> environment) {
        var console = System.console();
        return console != null
                && console.isTerminal()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    /// Returns the folder for content that can be fetched again.
    public Path cacheFolder() {
        String folder = environment.getOrDefault("SHEAF_CACHE_DIR", "");
        return folder.isBlank() ? directories.cache() : Path.of(folder);
    }

    /// Returns the home directory of the user.
    public Path home() {
        String home = environment.getOrDefault("HOME", "");
        return Path.of(home.isBlank() ? System.getProperty("user.home", ".") : home);
    }

    /// Returns the width for people in characters: the variable COLUMNS, else the terminal's width, else 80.
    /// May start a process, so call it once, and only if it matters.
    public int columns() {
        return TerminalWidth.columns(environment, terminal);
    }

    /// Prints a failure, in red if colours are wanted.
    public void fail(String line) {
        say(colour() ? RED + line + PLAIN : line);
    }

    /// Returns whether to use colours: on a terminal, unless NO_COLOR is set (no-color.org).
    public boolean colour() {
        return terminal && environment.getOrDefault("NO_COLOR", "").isEmpty();
    }

    /// Returns whether standard error can show the characters of a bar.
    boolean drawsUnicode() {
        return Charset.forName(System.getProperty("stderr.encoding", "US-ASCII"))
                .equals(StandardCharsets.UTF_8);
    }

    /// Returns a line of standard input without its end; empty if there is none. On a terminal it asks for the
    /// line and does not show the typed secret.
    public Optional<String> readSecret(String what) {
        var console = terminal ? System.console() : null;
        if (console != null) {
            char[] typed = console.readPassword("%s: ", what);
            return Optional.ofNullable(typed).map(String::new);
        }
        var line = new ByteArrayOutputStream();
        try {
            // Byte by byte: the rest belongs to the next reader.
            for (int next = in.read(); next >= 0 && next != '\n' && line.size() < LONGEST_LINE; next = in.read()) {
                line.write(next);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String text = line.toString(StandardCharsets.UTF_8);
        return text.isEmpty() ? Optional.empty() : Optional.of(text.replaceFirst("\r$", ""));
    }

    /// Returns why output was lost; empty if all was written.
    public Optional<String> lost() {
        return out instanceof StandardOutput own ? own.lost() : Optional.empty();
    }

    /// Prints a line for people.
    public void say(String line) {
        err.println(line);
    }
}
