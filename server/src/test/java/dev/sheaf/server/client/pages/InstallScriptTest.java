package dev.sheaf.server.client.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The script installs the client for one user, under a plain shell, or leaves everything as it was.
@Tag("programs")
class InstallScriptTest {
    private static final List<String> SMALL = List.of(
            "bash",
            "cat",
            "cut",
            "dash",
            "env",
            "find",
            "gzip",
            "mkdir",
            "mktemp",
            "mv",
            "ln",
            "readlink",
            "rm",
            "sha256sum",
            "tar",
            "uname");

    @TempDir
    private Path folder;

    private ClientTree tree;
    private TestApp app;
    private Path home;

    @BeforeEach
    void start() throws Exception {
        Tool.assumeInstalled("dash", "dash");
        Tool.assumeInstalled("bash", "bash");
        tree = new ClientTree(folder.resolve("tree"));
        app = TestApp.start(folder.resolve("data"));
        home = Files.createDirectories(folder.resolve("a home")); // with a blank in its name
    }

    @AfterEach
    void stop() {
        if (app != null) {
            app.close();
            tree.close();
        }
    }

    private String script() {
        return app.get("/client/install.sh", null).text();
    }

    /// Runs it with some programs, in the home of somebody who has Java.
    private Tool.Run run(String script, String downloader, String... variables) throws IOException {
        Path bin = Files.createDirectories(folder.resolve("bin-" + downloader));
        for (String program :
                Stream.concat(SMALL.stream(), Stream.of(downloader)).toList()) {
            var found = found(program);
            assumeTrue(found.isPresent(), program + " is not installed");
            if (!Files.exists(bin.resolve(program))) {
                Files.createSymbolicLink(bin.resolve(program), found.get());
            }
        }
        return Tool.installed("env", "coreutils", folder.resolve("runs"))
                .with("-i", "HOME=" + home, "PATH=" + bin, "JAVA_HOME=" + System.getProperty("java.home"))
                .with(variables)
                .end(script, bin.resolve("dash").toString());
    }

    private static Optional<Path> found(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(entry -> Path.of(entry, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private Path link() {
        return home.resolve(".local/bin/sheaf");
    }

    private List<Path> versions() throws IOException {
        Path all = home.resolve(".local/share/sheaf");
        if (!Files.exists(all)) {
            return List.of();
        }
        try (var files = Files.list(all)) {
            return files.sorted().toList();
        }
    }

    private String version() {
        return Tool.installed("bash", "bash", folder.resolve("runs")).run(link().toString(), "--version");
    }

    @Test
    void itInstallsWithCurl() throws Exception {
        var run = run(script(), "curl");

        assertThat(run.exit()).as(run.output()).isZero();
        assertThat(run.output())
                .contains("installed 1.2.3: " + link())
                .contains("export PATH=\"" + link().getParent() + ":$PATH\"")
                .contains("next: sheaf login --url " + app.url());
        assertThat(version()).isEqualTo("sheaf 1.2.3\n");
    }

    @Test
    void itInstallsWithWget() throws Exception {
        var run = run(script(), "wget");

        assertThat(run.exit()).as(run.output()).isZero();
        assertThat(version()).isEqualTo("sheaf 1.2.3\n");
    }

    @Test
    void itSaysWhichProgramIsMissing() throws Exception {
        var run = run(script(), "cat");

        assertThat(run.exit()).isOne();
        assertThat(run.output()).contains("needs curl or wget");
        assertThat(versions()).isEmpty();
    }

    @Test
    void aDownloadThatIsNotWhatWasAnnouncedIsNotUnpacked() throws Exception {
        String script = script();
        tree.library("z".repeat(200_000));
        var run = run(script, "curl");

        assertThat(run.exit()).isOne();
        assertThat(run.output()).contains("nothing was installed");
        assertThat(versions()).isEmpty();
        assertThat(link()).doesNotExist();
    }

    @Test
    void halfOfItDoesNothing() throws Exception {
        String script = script();
        for (int end = 0; end < script.lastIndexOf("sheaf_install"); end += 97) {
            run(script.substring(0, end), "curl");
            assertThat(home).as("after " + end + " characters").isEmptyDirectory();
        }
    }

    @Test
    void anUpgradeMovesTheLinkAndKeepsWhatMayBeInUse() throws Exception {
        run(script(), "curl");
        app.close();
        tree.release("1.3.0");
        app = TestApp.start(folder.resolve("upgraded"));
        var run = run(script(), "curl");

        assertThat(run.exit()).as(run.output()).isZero();
        assertThat(version()).isEqualTo("sheaf 1.3.0\n");
        assertThat(versions()).hasSize(2);
        assertThat(run.output()).contains("another version is in " + versions().getFirst());
        assertThat(run(script(), "curl").output()).contains("1.3.0 is in ").contains("already");
    }

    @Test
    void itReplacesNothingOfOthers() throws Exception {
        Files.createDirectories(link().getParent());
        Files.writeString(link(), "mine");
        var run = run(script(), "curl");

        assertThat(run.exit()).isOne();
        assertThat(run.output()).contains("is there already, and not from this script");
        assertThat(link()).hasContent("mine");
        Path elsewhere = folder.resolve("elsewhere");
        var other = run(script(), "curl", "SHEAF_BIN_DIR=" + elsewhere, "SHEAF_INSTALL_DIR=" + folder.resolve("own"));
        assertThat(other.exit()).as(other.output()).isZero();
        assertThat(elsewhere.resolve("sheaf")).isSymbolicLink();
    }

    /// The script, as where no Java is in the usual folders.
    private String withoutJava() {
        return script().replace("/usr/lib/jvm/* /opt/* /opt/java/*", "");
    }

    @Test
    void withoutJavaItBringsTheOneOfTheRegistry() throws Exception {
        var system = ClientTree.system();
        assumeTrue(system.isPresent(), "this is neither Linux nor amd64");
        tree.java(system.get());
        tree.java("macos-arm64");
        var run = run(withoutJava(), "curl", "JAVA_HOME=");

        assertThat(run.exit()).as(run.output()).isZero();
        assertThat(run.output()).contains("downloading sheaf-1.2.3-java-" + system.get() + ".tar.gz");
        Path own = versions().getFirst();
        assertThat(own.resolve("runtime-macos-arm64")).doesNotExist();
        assertThat(Tool.installed("bash", "bash", folder.resolve("runs")).run(link().toString(), "list"))
                .startsWith("own java: ")
                .endsWith(own.resolve("lib/sheaf-cli-1.2.3.jar") + " list\n");
    }

    @Test
    void whereThereIsJavaItBringsNone() throws Exception {
        tree.java(ClientTree.system().orElse("linux-x64"));
        var run = run(script(), "curl");

        assertThat(run.output()).contains("downloading sheaf-1.2.3.tar.gz");
        assertThat(versions())
                .hasSize(1)
                .allSatisfy(own -> assertThat(own).isDirectoryNotContaining("glob:**runtime*"));
    }

    @Test
    void withoutJavaItSaysWhatIsNeeded() throws Exception {
        var run = run(script(), "curl", "SHEAF_JAVA_HOME=/nonexistent");

        assertThat(run.exit()).isOne();
        assertThat(run.output()).contains("runs only once there is a Java 25 or newer");
    }
}
