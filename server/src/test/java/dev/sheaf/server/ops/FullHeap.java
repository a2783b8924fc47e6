package dev.sheaf.server.ops;

import dev.sheaf.server.testing.TestApp;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;

/// A program of its own: a node whose heap is nearly full, and the page of metrics that it then gives.
final class FullHeap {
    private static final double FULL = 0.92;

    private FullHeap() {}

    /// Prints the page.
    ///
    /// @param arguments the data directory
    public static void main(String[] arguments) {
        try (var app = TestApp.start(Path.of(arguments[0]))) {
            app.get("/metrics", null); // what it needs is loaded
            var runtime = Runtime.getRuntime();
            var taken = new ArrayList<byte[]>();
            while (runtime.totalMemory() - runtime.freeMemory() < runtime.maxMemory() * FULL) {
                taken.add(new byte[16 << 10]);
            }
            System.out.println(app.get("/metrics", null).text() + "# taken " + taken.size());
        }
    }

    /// The page of such a node.
    static String page(Path folder) throws Exception {
        var run = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseG1GC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        FullHeap.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        return new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
