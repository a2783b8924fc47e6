package dev.sheaf.cli;

import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.client.api.Directories;
import dev.sheaf.client.credentials.Keychain;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// Runs commands as a person does and writes down what they see: standard output as it is, a line of standard error
/// behind `! `, in the order in which they come.
final class Recorder {
    /// What a command came to.
    record Ran(int status, String out, String seen) {}

    private final Path home;
    private final Map<String, String> environment = new HashMap<>();

    Recorder(Path home, String url) {
        this.home = home;
        environment.put("SHEAF_URL", url);
        environment.put("SHEAF_COMPLETION_MILLIS", "10000");
    }

    Map<String, String> environment() {
        return environment;
    }

    Ran run(String input, boolean terminal, String... arguments) {
        var seen = new Seen();
        var out = new ByteArrayOutputStream();
        int status;
        try (var outStream = new PrintStream(seen.stream("", out), true, StandardCharsets.UTF_8);
                var errStream = new PrintStream(
                        seen.stream("! ", OutputStream.nullOutputStream()), true, StandardCharsets.UTF_8)) {
            var shell = new Shell(
                    new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                    outStream,
                    errStream,
                    terminal,
                    environment,
                    Directories.of(Map.of(), "Linux", home),
                    Keychain.NONE);
            status = Main.run(shell, arguments);
        }
        return new Ran(status, out.toString(StandardCharsets.UTF_8), seen.text());
    }

    /// Both streams, line by line.
    private static final class Seen {
        private final ByteArrayOutputStream all = new ByteArrayOutputStream();

        OutputStream stream(String mark, OutputStream copy) {
            return new OutputStream() {
                private boolean begun;

                @Override
                public void write(int b) throws java.io.IOException {
                    synchronized (all) {
                        if (!begun) {
                            all.writeBytes(mark.getBytes(StandardCharsets.UTF_8));
                        }
                        all.write(b);
                    }
                    begun = b != '\n';
                    copy.write(b);
                }
            };
        }

        String text() {
            String text = all.toString(StandardCharsets.UTF_8);
            return text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
        }
    }
}
