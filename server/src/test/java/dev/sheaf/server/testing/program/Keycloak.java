package dev.sheaf.server.testing.program;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipFile;

/// A Keycloak of its own for a test: the real program, unpacked and started with a realm.
public final class Keycloak implements AutoCloseable {
    private static final String VERSION = "26.7.3";
    private static final Path ZIP = Path.of("../target/tools/keycloak-quarkus-dist-" + VERSION + ".zip");
    private static final Duration LONGEST_START = Duration.ofSeconds(240); // a sixth of that on an idle machine

    private static final String UP = "Listening on: "; // what it prints when it answers

    private final int port;
    private final Process process;
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final CompletableFuture<Boolean> up = new CompletableFuture<>();

    private Keycloak(int port, Process process) {
        this.port = port;
        this.process = process;
    }

    /// Skips the test that asks where the program is not there.
    public static void assumeThere() {
        assumeTrue(
                Files.exists(ZIP),
                ZIP + " is missing, Keycloak as `mvn dependency:copy` gets it (see .ci/run): no sign-in with it");
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
                .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("KC_"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("JAVA_OPTS_KC_HEAP", "-Xmx384m");
        builder.environment().put("JAVA_OPTS_APPEND", "-XX:TieredStopAtLevel=1");
        var keycloak = new Keycloak(port, builder.start());
        Thread.ofVirtual().name("keycloak-log").start(keycloak::read);
        return keycloak;
    }

    private void read() {
        try (var out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                log.add(line);
                if (line.contains(UP)) {
                    up.complete(true);
                }
            }
        } catch (IOException e) {
            log.add(e.toString());
        }
        up.complete(false); // it has ended
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

    /// Waits until it says that it is up, with the realm.
    public void awaitUp(String realm) throws IOException, InterruptedException {
        boolean answers = up.completeOnTimeout(false, LONGEST_START.toSeconds(), TimeUnit.SECONDS)
                .join();
        var request = HttpRequest.newBuilder(URI.create(issuer(port, realm) + "/.well-known/openid-configuration"))
                .build();
        try (var client = HttpClient.newHttpClient()) {
            if (!answers || client.send(request, BodyHandlers.discarding()).statusCode() != 200) {
                throw new IllegalStateException("Keycloak did not start:\n" + String.join("\n", log));
            }
        }
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
