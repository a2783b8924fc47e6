package dev.sheaf.server.client.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// npm takes the client from this registry as from one of npm, compares its checksum, and runs it without a Java of
/// the machine. `make dist-check` does the same with the real client and its Java.
@Tag("programs")
class NpmClientTest {
    private static final Path VERDACCIO = Path.of("../target/tools/npm/node_modules/verdaccio/bin/verdaccio");

    @TempDir
    private Path folder;

    private ClientTree tree;
    private TestApp app;

    @BeforeEach
    void start() throws Exception {
        Tool.assumeInstalled("npx", "npm");
        var system = ClientTree.system();
        assumeTrue(system.isPresent(), "no archive has Java for this system: it is neither Linux nor amd64");
        tree = new ClientTree(folder.resolve("tree"));
        tree.java(system.get());
        app = TestApp.start(folder.resolve("data"));
    }

    @AfterEach
    void stop() {
        if (app != null) {
            app.close();
            tree.close();
        }
    }

    private Tool.Run npx(String arguments) {
        return npm("npx --yes --registry " + app.url() + "/client/npm " + arguments);
    }

    /// Where no Java of the machine is found.
    private Tool.Run npm(String command) {
        var all = new ArrayList<>(List.of("JAVA_HOME=", "SHEAF_JAVA_HOME=", "npm_config_update_notifier=false"));
        all.addAll(List.of(command.split(" ")));
        return Tool.installed("env", "coreutils", folder.resolve("home")).end("", all.toArray(String[]::new));
    }

    @Test
    void npxRunsIt() {
        var run = npx("sheaf add acme/kit");

        assertThat(run.exit()).as(run.output()).isZero();
        assertThat(run.output()).contains("own java: ").contains("lib/sheaf-cli-1.2.3.jar add acme/kit");
    }

    /// As its operator publishes it for `npx sheaf`, in verdaccio.
    @Test
    void anotherRegistryTakesIt() throws Exception {
        var script = VERDACCIO.toAbsolutePath().normalize();
        assumeTrue(
                Files.exists(script),
                script + " is missing, as `npm install` makes it of src/test/npm/package.json (see .ci/run)");
        Path home = Files.createDirectories(folder.resolve("home"));
        Path config = Files.writeString(folder.resolve("verdaccio.yaml"), """
                storage: %s
                packages: {"**": {access: $all, publish: $all}}
                max_body_size: 100mb
                log: {type: stdout, level: warn}
                """.formatted(folder.resolve("packages")));
        int port = Ports.free();
        String registry = "http://127.0.0.1:" + port;
        Files.writeString(home.resolve(".npmrc"), "//127.0.0.1:" + port + "/:_authToken=any\n");
        var process = new ProcessBuilder("node", script.toString(), "--config", config.toString(), "--listen", registry)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        try (var client = HttpClient.newHttpClient()) {
            var ping = HttpRequest.newBuilder(URI.create(registry + "/-/ping")).build();
            Eventually.within(Duration.ofMinutes(1), () -> isAnswered(client, ping));

            var packed = npm("npm pack --registry " + app.url() + "/client/npm sheaf");
            assertThat(packed.exit()).as(packed.output()).isZero();
            var published = npm("npm publish ./sheaf-1.2.3.tgz --registry " + registry);
            assertThat(published.exit())
                    .as(published.output() + Files.readString(folder.resolve("log")))
                    .isZero();
            var run = npm("npx --yes --registry " + registry + " sheaf add acme/kit");

            assertThat(run.output()).contains("own java: ").contains("lib/sheaf-cli-1.2.3.jar add acme/kit");
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    private static boolean isAnswered(HttpClient client, HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false; // not yet
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Test
    void npxRefusesWhatIsNotAsAnnounced() throws Exception {
        assertThat(app.get("/client/npm/sheaf", null).status()).isEqualTo(200); // from now on, its digest is known
        tree.library("z".repeat(200_000));
        var run = npx("sheaf list");

        assertThat(run.exit()).as(run.output()).isNotZero();
        assertThat(run.output()).contains("EINTEGRITY");
        assertThat(run.output()).doesNotContain("own java");
    }
}
