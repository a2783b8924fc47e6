package dev.sheaf.cli.command;

import dev.sheaf.client.io.ShellWord;
import java.nio.file.Path;

/// The option for the lock file.
public record LockOption(OptionalValue<Path> option) {
    private static final Path USUAL = Path.of("sheaf.lock");

    public static LockOption of(CliCommand command) {
        return new LockOption(
                command.option(Path.class, "--lock-file", "FILE", "The lock file. Default: ./sheaf.lock."));
    }

    public Path file() {
        return option.or(USUAL);
    }

    /// Returns ` --lock-file …` for commands in advice, if it is not the default.
    public String typed() {
        return file().equals(USUAL) ? "" : " --lock-file " + ShellWord.of(file());
    }
}
