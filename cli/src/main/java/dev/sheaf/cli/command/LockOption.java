package dev.sheaf.cli.command;

import dev.sheaf.client.io.ShellWord;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// Which lock file.
public final class LockOption {
    private static final Path USUAL = Path.of("sheaf.lock");

    @Option(names = "--lock-file", paramLabel = "FILE", description = "The lock file; ./sheaf.lock if missing.")
    private Path file = USUAL;

    public Path file() {
        return file;
    }

    /// ` --lock-file …` where that is not the usual one, for a command that is advised.
    public String typed() {
        return file.equals(USUAL) ? "" : " --lock-file " + ShellWord.of(file);
    }
}
