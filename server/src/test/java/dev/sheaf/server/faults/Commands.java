package dev.sheaf.server.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Programs that make faults.
final class Commands {
    private Commands() {}

    /// @throws IOException if it fails, with what it said
    static void run(String... command) throws IOException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
