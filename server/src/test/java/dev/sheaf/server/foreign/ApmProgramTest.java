package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.Reference;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The program `apm` of PyPI (apm-cli), as people run it.
@Timeout(400) // seconds; it starts a dozen times, each time for seconds where other tests run beside this one
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("programs")
class ApmProgramTest {
    private static final Path PROGRAM =
            Path.of("../target/tools/apm/bin/apm").toAbsolutePath().normalize();

    private TestApp app;
    private Path home;
    private Path kit;
    private Path project;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        assumeTrue(
                Files.isExecutable(PROGRAM),
                PROGRAM
                        + " is missing, which .ci/run installs where PyPI can be reached; ApmClientTest sends the same");
        app = TestApp.start(folder.resolve("data"));
        home = Files.createDirectories(folder.resolve("home"));
        kit = home.resolve("kit");
        project = home.resolve("project");
        write(
                kit,
                ".apm/skills/web-notes/SKILL.md",
                "---\nname: web-notes\ndescription: Notes of pages.\n---\nRead.\n");
        write(kit, ".apm/skills/web-notes/scripts/run.sh", "#!/bin/sh\necho run\n");
        Files.setPosixFilePermissions(
                kit.resolve(".apm/skills/web-notes/scripts/run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
        write(kit, ".apm/instructions/größe.instructions.md", "---\napplyTo: '**'\n---\n" + "x".repeat(100_000));
        write(kit, "README.md", "# Kit\n");
        Files.createDirectories(project.resolve(".claude"));
        apm(home, "", "experimental", "enable", "registries");
    }

    @AfterEach
    void stop() {
        if (app != null) {
            app.close();
        }
    }

    private static void write(Path folder, String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /// @param key empty for none
    private Tool.Run end(Path folder, String key, String... arguments) {
        var words = new ArrayList<>(List.of("-i", "-C", folder.toString(), "HOME=" + home, "CI=1"));
        words.add("PATH=" + System.getenv("PATH"));
        words.addAll(List.of("APM_E2E_TESTS=1", "APM_NO_CACHE=1")); // looks for no newer version of itself
        if (!key.isEmpty()) {
            words.add("APM_REGISTRY_TOKEN_SHEAF=" + key);
        }
        words.add(PROGRAM.toString());
        words.addAll(Arrays.asList(arguments));
        return Tool.at(Path.of("/usr/bin/env"), home).end("", words.toArray(String[]::new));
    }

    private String apm(Path folder, String key, String... arguments) {
        var run = end(folder, key, arguments);
        assertThat(run.exit()).as("%s: %s", List.of(arguments), run.output()).isZero();
        return run.output();
    }

    /// As docs/agents.md says.
    private String registries() {
        return "registries:\n  sheaf:\n    url: " + app.url() + "/apm\n  default: sheaf\n";
    }

    private void publish(String version) throws IOException {
        write(kit, "apm.yml", "name: kit\nversion: " + version + "\nlicense: MIT\n" + registries());
        assertThat(apm(kit, app.admin(), "publish", "--package", "acme/kit")).contains("Published acme/kit@" + version);
    }

    private void wants(String dependency) throws IOException {
        write(
                project,
                "apm.yml",
                "name: project\nversion: 1.0.0\n" + registries() + "dependencies:\n  apm:\n    - " + dependency + "\n");
    }

    private List<PublishedSkills.File> sent() throws IOException {
        return files(kit, "kit-");
    }

    private List<PublishedSkills.File> installed() throws IOException {
        return files(project.resolve("apm_modules/acme/kit"), ".apm-");
    }

    private List<PublishedSkills.File> pulled(String version) throws IOException {
        Path target = home.resolve("pulled-" + version);
        try (var client = SheafClient.of(RegistryUrl.parse(app.url()))
                .key(Secret.of(app.admin()))
                .cache(home.resolve("cache"))
                .open()) {
            client.pull(Reference.parse("acme/kit:" + version), target);
        }
        return files(target, ".sheaf");
    }

    /// The files below a folder, without the notes of the program that wrote them.
    private static List<PublishedSkills.File> files(Path folder, String notes) throws IOException {
        return PublishedSkills.in(folder).stream()
                .filter(file -> !file.path().startsWith(notes))
                .toList();
    }

    @Test
    void publishesInstallsAndUpdates() throws IOException {
        publish("1.0.0");
        var first = sent();
        assertThat(pulled("1.0.0")).isEqualTo(first);
        assertThat(end(kit, app.admin(), "publish", "--package", "acme/kit").output())
                .contains("already exists");
        wants("acme/kit#^1.0.0");

        assertThat(end(project, "", "install").exit()).as("without a key").isNotZero();
        assertThat(project.resolve("apm_modules/acme/kit")).doesNotExist();
        apm(project, app.admin(), "install");
        assertThat(installed()).isEqualTo(first);
        assertThat(project.resolve(".claude/skills/web-notes/SKILL.md"))
                .hasSameBinaryContentAs(kit.resolve(".apm/skills/web-notes/SKILL.md"));

        write(kit, ".apm/skills/web-notes/more.md", "more");
        publish("1.1.0");
        assertThat(apm(project, app.admin(), "view", "acme/kit", "versions")).contains("1.0.0", "1.1.0");
        assertThat(end(project, app.admin(), "outdated").output()).contains("1.1.0");
        apm(project, app.admin(), "install", "--frozen");
        assertThat(installed()).as("as the lock says").isEqualTo(first);
        apm(project, app.admin(), "update", "--yes");
        assertThat(installed()).isEqualTo(sent()).isEqualTo(pulled("1.1.0"));

        wants("acme/kit#1.0.0");
        apm(project, app.admin(), "update", "--yes");
        assertThat(installed()).as("pinned").isEqualTo(first);
    }

    /// Without an `apm.yml`.
    @Test
    void installsSkillsThatWerePushed() throws IOException {
        var files = PublishedSkills.of("sql-review");
        var reply = app.post(
                OnEveryStack.bundle("acme/kit") + ":push",
                app.admin(),
                PublishedSkills.body("1.0.0", "public", files.stream()));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        wants("acme/kit#^1.0.0");

        apm(project, "", "install");

        assertThat(installed()).containsAll(files);
    }
}
