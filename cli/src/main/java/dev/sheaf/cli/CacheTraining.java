package dev.sheaf.cli;

import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.client.credentials.Credentials;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;

/// Runs the commands on standard input, one per line, in this process. The launcher records which classes they
/// load, for the AOT cache. Their results do not matter. A line that begins with `anonymous` runs without the
/// key of the environment, so that keys are looked up in all other places.
final class CacheTraining {
    private static final String ANONYMOUS = "anonymous ";

    private CacheTraining() {}

    public static void main(String[] arguments) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            var shell = Shell.ofThisProcess();
            if (line.startsWith(ANONYMOUS)) {
                Main.run(keyless(shell), line.substring(ANONYMOUS.length()).split(" "));
            } else {
                Main.run(shell, line.split(" "));
            }
        }
    }

    private static Shell keyless(Shell shell) {
        var environment = new HashMap<>(shell.environment());
        environment.remove(Credentials.VARIABLE);
        return new Shell(
                shell.in(),
                shell.out(),
                shell.err(),
                shell.terminal(),
                environment,
                shell.directories(),
                shell.keychain());
    }
}
