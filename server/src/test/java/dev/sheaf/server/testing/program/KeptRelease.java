package dev.sheaf.server.testing.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/// The classes of the last release, as `packaging/keep-release` packed them. It runs on the libraries of this
/// program; where one of them changes incompatibly, its jar must be kept too.
public final class KeptRelease {
    public static final String VERSION = "0.2.0";

    private final List<Path> classes;

    private KeptRelease(List<Path> classes) {
        this.classes = classes;
    }

    /// Unpacks it into `folder`.
    public static KeptRelease in(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        var tar = new ProcessBuilder("tar", "-xJf", "-", "-C", folder.toString())
                .inheritIO()
                .redirectInput(ProcessBuilder.Redirect.PIPE)
                .start();
        try (var packed = Objects.requireNonNull(
                        KeptRelease.class.getResourceAsStream("/old/sheaf-server-" + VERSION + ".tar.xz"));
                var in = tar.getOutputStream()) {
            packed.transferTo(in);
        }
        if (tar.waitFor() != 0) {
            throw new IOException("tar ends with " + tar.exitValue());
        }
        return new KeptRelease(List.of(folder.resolve("model"), folder.resolve("server")));
    }

    public ServerProcess start(Path dataDir, List<String> flags) throws IOException {
        return ServerProcess.startRelease(classes, dataDir, flags);
    }
}
