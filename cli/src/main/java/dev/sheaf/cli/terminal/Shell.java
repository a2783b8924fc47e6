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

/// What a command finds around it. Tests hand in their own.
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

    /// Java tells only whether standard input and output are a terminal, not standard error; so a progress bar is
    /// drawn where both are, and the terminal is able to.
    private static boolean isTerminal(Map<String, String> environment) {
        var console = System.console();
        return console != null
                && console.isTerminal()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }

    /// Where content is kept that can be fetched again.
    public Path cacheFolder() {
        String folder = environment.getOrDefault("SHEAF_CACHE_DIR", "");
        return folder.isBlank() ? directories.cache() : Path.of(folder);
    }

    /// The home of the user.
    public Path home() {
        String home = environment.getOrDefault("HOME", "");
        return Path.of(home.isBlank() ? System.getProperty("user.home", ".") : home);
    }

    /// How wide what is shown to a person may be, in characters: the terminal's width, or 80 where there is none,
    /// unless the variable COLUMNS says. It may take a process to know, so ask once, and only where it matters.
    public int columns() {
        return Window.columns(environment, terminal);
    }

    /// A failure, in red where colours are wanted.
    public void fail(String line) {
        say(colour() ? RED + line + PLAIN : line);
    }

    /// Whether to colour: a person looks, and has not said no (no-color.org).
    public boolean colour() {
        return terminal && environment.getOrDefault("NO_COLOR", "").isEmpty();
    }

    /// The encoding of standard error, which decides how a bar is drawn.
    boolean drawsUnicode() {
        return Charset.forName(System.getProperty("stderr.encoding", "US-ASCII"))
                .equals(StandardCharsets.UTF_8);
    }

    /// A line of standard input, without its end; empty where there is none. On a terminal it is asked for, and not
    /// shown while it is typed: it is a secret.
    public Optional<String> readSecret(String what) {
        var console = terminal ? System.console() : null;
        if (console != null) {
            char[] typed = console.readPassword("%s: ", what);
            return Optional.ofNullable(typed).map(String::new);
        }
        var line = new ByteArrayOutputStream();
        try {
            // Byte by byte: what comes after the line belongs to whoever reads next.
            for (int next = in.read(); next >= 0 && next != '\n' && line.size() < LONGEST_LINE; next = in.read()) {
                line.write(next);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String text = line.toString(StandardCharsets.UTF_8);
        return text.isEmpty() ? Optional.empty() : Optional.of(text.replaceFirst("\r$", ""));
    }

    /// Why standard output did not take all that was written; empty where it did.
    public Optional<String> lost() {
        return out instanceof StandardOutput own ? own.lost() : Optional.empty();
    }

    /// One line for people.
    public void say(String line) {
        err.println(line);
    }
}
