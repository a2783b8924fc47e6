package dev.sheaf.cli;

import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.client.api.Directories;
import dev.sheaf.client.credentials.Keychain;
import dev.sheaf.client.testing.TinyRegistry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/// Runs commands as a person does, against a registry of its own: arguments in; exit status, standard output and
/// standard error out.
public abstract class CommandLineFixture {
    @TempDir
    public Path folder;

    public final TinyRegistry registry = TinyRegistry.start();
    public final Map<String, String> environment = new HashMap<>();
    public boolean terminal;

    @AfterEach
    public void stop() {
        registry.close();
    }

    public record Ran(int status, String out, String err) {
        /// Returns what it said, without how long it waits, which a busy machine makes it say.
        public String said() {
            return err.lines().filter(line -> !line.startsWith("waiting for ")).collect(Collectors.joining("\n"));
        }
    }

    /// Answers requests whose path holds this in this way.
    public void answer(String path, int status, String json) {
        registry.replace(path, exchange -> TinyRegistry.send(exchange, status, json.getBytes(StandardCharsets.UTF_8)));
    }

    public Ran run(String... arguments) {
        return runWith("", arguments);
    }

    public Ran runWith(String input, String... arguments) {
        environment.putIfAbsent("SHEAF_URL", registry.url().toString());
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        int status;
        try (var outStream = new PrintStream(out, true, StandardCharsets.UTF_8);
                var errStream = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            var shell = new Shell(
                    new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                    outStream,
                    errStream,
                    terminal,
                    environment,
                    Directories.of(Map.of(), "Linux", folder.resolve("home")),
                    Keychain.NONE);
            status = Main.run(shell, arguments);
        }
        return new Ran(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
