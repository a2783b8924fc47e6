package dev.sheaf.cli.command;

import dev.sheaf.client.io.ShellWord;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// The option for the lock file.
public final class LockOption {
    private static final Path USUAL = Path.of("sheaf.lock");

    @Option(names = "--lock-file", paramLabel = "FILE", description = "The lock file. Default: ./sheaf.lock.")
    private Path file = USUAL;

    public Path file() {
        return file;
    }

    /// Returns ` --lock-file …` for commands in advice, if it is not the default.
    public String typed() {
        return file.equals(USUAL) ? "" : " --lock-file " + ShellWord.of(file);
    }
}
