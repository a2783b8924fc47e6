package dev.sheaf.cli;

import dev.sheaf.client.io.ShellWord;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// Which lock file.
final class LockOption {
    private static final Path USUAL = Path.of("sheaf.lock");

    @Option(names = "--lock-file", paramLabel = "FILE", description = "The lock file; ./sheaf.lock if missing.")
    private Path file = USUAL;

    Path file() {
        return file;
    }

    /// ` --lock-file …` where that is not the usual one, for a command that is advised.
    String typed() {
        return file.equals(USUAL) ? "" : " --lock-file " + ShellWord.of(file);
    }
}
