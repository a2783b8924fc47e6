package dev.sheaf.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/// Which lock file.
final class LockOption {
    @Option(names = "--lock-file", paramLabel = "FILE", description = "The lock file; ./sheaf.lock if missing.")
    private Path file = Path.of("sheaf.lock");

    Path file() {
        return file;
    }
}
