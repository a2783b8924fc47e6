package dev.sheaf.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/// Runs the commands on standard input, one a line, one after the other in this process. The launcher has Java note
/// what they load, for the cache that it starts from. What becomes of them does not matter.
final class Rehearsal {
    private Rehearsal() {}

    public static void main(String[] arguments) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Main.run(Shell.ofThisProcess(), line.split(" "));
        }
    }
}
