package dev.sheaf.client.bundle;

import dev.sheaf.client.api.SheafException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// Reads the executable files of a folder from git's index, for file systems without modes.
final class GitModes {
    private static final int LONGEST = 64 << 20;
    private static final String EXECUTABLE = "100755 ";

    private GitModes() {}

    /// Returns paths relative to the folder; empty if the folder is not in a working tree, or git is not
    /// installed.
    static Set<String> executables(Path folder) {
        var program = program();
        return program.isEmpty() ? Set.of() : parse(ask(program.get(), folder));
    }

    /// Parses the output of `ls-files --stage -z`: mode, object and stage, a tab, and the path.
    public static Set<String> parse(String entries) {
        var paths = new HashSet<String>();
        for (String entry : entries.split("\0")) {
            int tab = entry.indexOf('\t');
            if (tab > 0 && entry.startsWith(EXECUTABLE)) {
                paths.add(entry.substring(tab + 1));
            }
        }
        return paths;
    }

    /// Runs git without the hooks and monitors that the folder's own configuration could define.
    private static String ask(Path git, Path folder) {
        try {
            var process = new ProcessBuilder(
                            git.toString(),
                            "-c",
                            "core.fsmonitor=false",
                            "-c",
                            "core.hooksPath=",
                            "ls-files",
                            "--stage",
                            "-z")
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                process.getOutputStream().close();
                byte[] bytes = process.getInputStream().readNBytes(LONGEST);
                boolean ended = process.waitFor(1, TimeUnit.SECONDS) && process.exitValue() == 0;
                return ended ? new String(bytes, StandardCharsets.UTF_8) : "";
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SheafException.Cancelled();
        }
    }

    /// Returns the first git on the `PATH`. This searches itself because some systems look in the current
    /// folder first.
    private static Optional<Path> program() {
        String file = File.separatorChar == '\\' ? "git.exe" : "git";
        String path = System.getenv("PATH");
        for (String folder : path == null ? List.<String>of() : List.of(path.split(File.pathSeparator))) {
            try {
                Path program = Path.of(folder).resolve(file);
                if (program.isAbsolute() && Files.isExecutable(program) && !Files.isDirectory(program)) {
                    return Optional.of(program);
                }
            } catch (InvalidPathException e) {
                // not a folder
            }
        }
        return Optional.empty();
    }
}
