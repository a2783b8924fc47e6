package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.CliCommand;
import java.nio.file.Files;
import java.nio.file.Path;

/// The directory that a command reads a bundle from.
final class SourceFolder {
    private SourceFolder() {}

    /// @throws picocli.CommandLine.ParameterException if it is not a directory
    static void check(CliCommand command, Path folder) {
        command.refuse(
                !Files.isDirectory(folder),
                Files.exists(folder)
                        ? folder + " is a file, not a directory"
                        : "the directory " + folder + " does not exist");
    }
}
