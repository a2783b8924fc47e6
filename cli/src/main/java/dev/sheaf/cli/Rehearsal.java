package dev.sheaf.cli;

import dev.sheaf.cli.terminal.Shell;

import dev.sheaf.client.credentials.Credentials;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;

/// Runs the commands on standard input, one a line, one after the other in this process. The launcher has Java note
/// what they load, for the cache that it starts from. What becomes of them does not matter. A line that begins with
/// `anonymous` is a command of somebody without the key of the environment, who looks for one in all other places.
final class Rehearsal {
    private static final String ANONYMOUS = "anonymous ";

    private Rehearsal() {}

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
