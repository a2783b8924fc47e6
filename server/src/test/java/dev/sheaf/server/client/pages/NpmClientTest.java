package dev.sheaf.server.client.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// npm takes the client from this registry as from one of npm, compares its checksum, and runs it without a Java of
/// the machine. `make dist-check` does the same with the real client and its Java.
class NpmClientTest {
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

    private Tool.Run npx(String... arguments) {
        var all = new ArrayList<>(
                List.of("JAVA_HOME=", "SHEAF_JAVA_HOME=", "npm_config_update_notifier=false", "npx", "--yes"));
        all.addAll(List.of("--registry", app.url() + "/client/npm"));
        all.addAll(List.of(arguments));
        return Tool.installed("env", "coreutils", folder.resolve("home")).end("", all.toArray(String[]::new));
    }

    @Test
    void npxRunsIt() {
        var run = npx("sheaf", "add", "acme/kit");

        assertThat(run.exit()).as(run.output()).isZero();
        assertThat(run.output()).contains("own java: ").contains("lib/sheaf-cli-1.2.3.jar add acme/kit");
    }

    @Test
    void npxRefusesWhatIsNotAsAnnounced() throws Exception {
        assertThat(app.get("/client/npm/sheaf", null).status()).isEqualTo(200); // from now on, its digest is known
        tree.library("z".repeat(200_000));
        var run = npx("sheaf", "list");

        assertThat(run.exit()).as(run.output()).isNotZero();
        assertThat(run.output()).contains("EINTEGRITY");
        assertThat(run.output()).doesNotContain("own java");
    }
}
