package dev.sheaf.server.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.zip.ZipFile;

/// A Keycloak of its own for a test: the real program, unpacked and started with a realm.
public final class Keycloak implements AutoCloseable {
    private static final String VERSION = "26.7.3";
    private static final Path ZIP = Path.of("../target/tools/keycloak-quarkus-dist-" + VERSION + ".zip");
    private static final Duration LONGEST_START = Duration.ofSeconds(110); // a third of that on an idle machine

    private final int port;
    private final Process process;
    private final Path log;

    private Keycloak(int port, Process process, Path log) {
        this.port = port;
        this.process = process;
        this.log = log;
    }

    /// Skips the test that asks where the program is not there.
    public static void assumeThere() {
        assumeTrue(
                Files.exists(ZIP),
                ZIP + " is missing, Keycloak as `mvn dependency:copy` gets it (see .ci/run): no sign-in with it");
    }

    /// A port that is free now.
    public static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Who signs people in there.
    public static String issuer(int port, String realm) {
        return "http://127.0.0.1:" + port + "/realms/" + realm;
    }

    /// Starts it below `folder`, on `port`, with one realm, and does not wait.
    ///
    /// @param json of the realm
    public static Keycloak start(Path folder, int port, String realm, String json) throws IOException {
        Path home = unpack(folder);
        Path realms = Files.createDirectories(home.resolve("data/import"));
        Files.writeString(realms.resolve(realm + "-realm.json"), json);
        Path log = folder.resolve("keycloak.log");
        var builder = new ProcessBuilder(List.of(
                        "bash",
                        home.resolve("bin/kc.sh").toString(),
                        "start-dev",
                        "--import-realm",
                        "--http-host=127.0.0.1",
                        "--http-port=" + port,
                        "--db=dev-mem",
                        "--cache=local"))
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("KC_"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("JAVA_OPTS_KC_HEAP", "-Xmx384m");
        builder.environment().put("JAVA_OPTS_APPEND", "-XX:TieredStopAtLevel=1");
        return new Keycloak(port, builder.start(), log);
    }

    private static Path unpack(Path folder) throws IOException {
        try (var zip = new ZipFile(ZIP.toFile())) {
            for (var entries = zip.entries(); entries.hasMoreElements(); ) {
                var entry = entries.nextElement();
                Path target = folder.resolve(entry.getName()).normalize();
                if (!target.startsWith(folder)) {
                    throw new IOException(entry.getName() + " leads out of the folder");
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                } else {
                    Files.createDirectories(target.getParent());
                    try (var in = zip.getInputStream(entry)) {
                        Files.copy(in, target);
                    }
                }
            }
        }
        return folder.resolve("keycloak-" + VERSION);
    }

    /// Waits until the realm answers.
    public void awaitUp(String realm) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(issuer(port, realm) + "/.well-known/openid-configuration"))
                .build();
        long end = System.nanoTime() + LONGEST_START.toNanos();
        try (var client = HttpClient.newHttpClient()) {
            while (System.nanoTime() < end && process.isAlive()) {
                try {
                    if (client.send(request, BodyHandlers.discarding()).statusCode() == 200) {
                        return;
                    }
                } catch (IOException e) {
                    // nobody listens yet
                }
                Thread.sleep(200);
            }
        }
        throw new IllegalStateException("Keycloak did not start:\n" + Files.readString(log));
    }

    /// Ends the processes that were started here, no others.
    @Override
    public void close() {
        var children = process.descendants().toList();
        children.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
        children.forEach(child -> child.onExit().join());
    }
}
