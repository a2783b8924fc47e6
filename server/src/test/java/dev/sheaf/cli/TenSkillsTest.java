package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Ten skills like those that people publish go by `sheaf push`, and come back by each way with their bytes and modes.
/// What programs of others do with them is in [dev.sheaf.server.foreign].
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("programs")
class TenSkillsTest {
    private TestApp app;
    private Recorder recorder;
    private Path folder;

    @BeforeEach
    void push(@TempDir Path data, @TempDir Path own) throws IOException {
        app = TestApp.start(data);
        folder = own;
        recorder = new Recorder(own.resolve("home"), app.url());
        recorder.environment().put("SHEAF_API_KEY", app.admin());
        for (var file : PublishedSkills.all()) {
            Path path = own.resolve("ten/skills").resolve(file.path());
            Files.createDirectories(path.getParent());
            Files.write(path, file.bytes());
            Files.setPosixFilePermissions(
                    path, PosixFilePermissions.fromString(file.executable() ? "rwxr-xr-x" : "rw-r--r--"));
        }
        ran("push", own.resolve("ten").toString(), "acme/ten:1.0.0", "--public");
    }

    @AfterEach
    void stop() {
        app.close();
    }

    private void ran(String... line) {
        var run = recorder.run("", false, line);
        assertThat(run.status()).as(run.seen()).isZero();
    }

    private static void areAll(Path skills) throws IOException {
        assertThat(PublishedSkills.in(skills)).isEqualTo(PublishedSkills.all());
    }

    @Test
    void comeBackByPullWhateverWayTheyWent() throws IOException {
        ran("pull", "acme/ten", "-o", folder.resolve("pulled").toString());
        areAll(folder.resolve("pulled/skills"));

        ran("push", folder.resolve("ten").toString(), "acme/layers:1.0.0", "--oci");
        ran("pull", "acme/layers", "-o", folder.resolve("layers").toString());
        areAll(folder.resolve("layers/skills"));
    }

    @Test
    void comeBackByAdd() throws IOException {
        Path project = Files.createDirectories(folder.resolve("project"));

        ran("add", "acme/ten", "--allow-exec", "--agent", "claude-code", "--project", project.toString());

        areAll(project.resolve(".claude/skills"));
    }

    @Test
    void comeBackByGit() throws IOException {
        var git = Tool.installed("git", "git", folder.resolve("home"));

        git.run(
                "clone",
                "-q",
                app.url() + "/acme/ten.git",
                folder.resolve("cloned").toString());

        areAll(folder.resolve("cloned/skills"));
    }

    /// Where a path is too long for tar, by the other form.
    @Test
    void comeBackByTheArchivesOfTheIndex() throws IOException {
        var index =
                app.get("/acme/ten/.well-known/agent-skills/index.json", null).json();
        assertThat(index.get("skills")).hasSize(PublishedSkills.names().size());
        for (var skill : index.get("skills")) {
            String url = skill.get("url").stringValue();
            Path archive = folder.resolve(url.substring(url.lastIndexOf('/') + 1));
            Files.write(archive, app.get(url, null).response().body());
            Path to = Files.createDirectories(
                    folder.resolve("unpacked").resolve(skill.get("name").stringValue()));
            var unpack = url.endsWith(".zip")
                    ? List.of("unzip", "-q", archive.toString(), "-d", to.toString())
                    : List.of("tar", "-xpzf", archive.toString(), "-C", to.toString());
            Tool.installed(unpack.getFirst(), unpack.getFirst(), folder.resolve("home"))
                    .run(unpack.subList(1, unpack.size()).toArray(String[]::new));
        }

        areAll(folder.resolve("unpacked"));
    }

    @Test
    void comeBackAsAPlugin() throws IOException {
        Path archive = folder.resolve("plugin.zip");
        Files.write(
                archive, app.get("/acme/ten@1.0.0/plugin.zip", null).response().body());

        Tool.installed("unzip", "unzip", folder.resolve("home"))
                .run("-q", archive.toString(), "-d", folder.resolve("plugin").toString());

        areAll(folder.resolve("plugin/skills"));
    }
}
