package dev.sheaf.cli.work;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Finds programs.
final class ProgramFinder {
    private ProgramFinder() {}

    /// Returns the program that a shell would run. Skips relative folders of PATH: they depend on the working
    /// directory, which may belong to a bundle.
    static Optional<Path> find(String name, Map<String, String> environment) {
        if (name.contains("/") || name.contains(File.separator)) {
            return Optional.of(Path.of(name).toAbsolutePath()).filter(ProgramFinder::isProgram);
        }
        return Pattern.compile(File.pathSeparator)
                .splitAsStream(environment.getOrDefault("PATH", ""))
                .map(Path::of)
                .filter(Path::isAbsolute)
                .map(folder -> folder.resolve(name))
                .filter(ProgramFinder::isProgram)
                .findFirst();
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }
}
