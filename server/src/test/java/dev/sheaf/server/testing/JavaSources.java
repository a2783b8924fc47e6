package dev.sheaf.server.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The program's own sources, for tests that read them.
public final class JavaSources {
    private static final List<Path> ROOTS =
            List.of(Path.of("src/main/java/dev/sheaf/server"), Path.of("../engine/src/main/java/dev/sheaf/engine"));

    private JavaSources() {}

    /// Returns the files of the server and of its engine.
    public static List<Path> files() throws IOException {
        var all = new ArrayList<Path>();
        for (Path root : ROOTS) {
            try (var files = Files.walk(root)) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(all::add);
            }
        }
        return all;
    }

    /// Returns the first folder of a file below the server or the engine, such as `queue`; empty if it lies in none.
    public static String part(Path file) {
        Path root = ROOTS.stream().filter(file::startsWith).findFirst().orElseThrow();
        Path within = root.relativize(file);
        return within.getNameCount() > 1 ? within.getName(0).toString() : "";
    }
}
