package dev.sheaf.cli.bundle;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// The directory that a command reads a bundle from.
final class SourceFolder {
    private SourceFolder() {}

    /// @throws ParameterException if it is not a directory
    static void check(CommandSpec spec, Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new ParameterException(
                    spec.commandLine(),
                    Files.exists(folder)
                            ? folder + " is a file, not a directory"
                            : "the directory " + folder + " does not exist");
        }
    }
}
