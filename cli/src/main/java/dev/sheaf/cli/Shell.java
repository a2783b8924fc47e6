package dev.sheaf.cli;

import dev.sheaf.client.Directories;
import dev.sheaf.client.Keychain;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/// What a command finds around it. Tests hand in their own.
///
/// @param terminal whether a person sees standard error
record Shell(
        InputStream in,
        PrintStream out,
        PrintStream err,
        boolean terminal,
        Map<String, String> environment,
        Directories directories,
        Keychain keychain) {
    static Shell ofThisProcess() {
        var environment = System.getenv();
        String platform = System.getProperty("os.name", "");
        boolean terminal = isTerminal(environment);
        return new Shell(
                System.in,
                System.out,
                System.err,
                terminal,
                environment,
                Directories.ofThisUser(),
                Keychain.ofThisUser(environment, platform));
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
    Path cacheFolder() {
        String folder = environment.getOrDefault("SHEAF_CACHE_DIR", "");
        return folder.isBlank() ? directories.cache() : Path.of(folder);
    }

    /// Whether to colour: a person looks, and has not said no (no-color.org).
    boolean colour() {
        return terminal && environment.getOrDefault("NO_COLOR", "").isEmpty();
    }

    /// The encoding of standard error, which decides how a bar is drawn.
    boolean drawsUnicode() {
        return Charset.forName(System.getProperty("stderr.encoding", "US-ASCII"))
                .equals(StandardCharsets.UTF_8);
    }

    /// One line for people.
    void say(String line) {
        err.println(line);
    }
}
