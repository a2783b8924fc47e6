package dev.sheaf.client.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.Installation;
import dev.sheaf.client.agents.Agents;
import dev.sheaf.client.agents.InstallLevel;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.agents.ServerForm;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.agents.WantedBundle;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.Reference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Plugins, whose files and servers strangers choose.
@SuppressWarnings("NullAway.Init") // set before each test
class PluginInstallTest {
    private static final InstallOptions ALLOWED = InstallOptions.DEFAULT.allowExec(true);
    private static final ThingName FOLDER = ThingName.parse("plugins/acme/kit");
    private static final String MANIFEST = "plugin.json {\"$schema\":"
            + " \"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\", \"name\": \"kit\"}";
    private static final String SKILL = "skills/a/SKILL.md a";
    private static final String SERVER = "bin/server! #!/bin/sh";
    private static final String LOCAL = """
            {"type": "stdio", "command": "./bin/server", "args": ["--data", "${PLUGIN_DATA}/db", "${PLUGIN_ROOT}"],
             "env": {"CONFIG": "${PLUGIN_ROOT}/c.json"}}""";
    private static final String BARE = "{\"type\": \"stdio\", \"command\": \"npx\", \"args\": [\"-y\", \"db@1\"]}";
    private static final String REMOTE = """
            {"type": "streamable-http", "url": "https://mcp.example/", "headers": {"X-Tenant": "public"}}""";

    private Workshop workshop;
    private Path project;
    private Path home;

    @BeforeEach
    void open(@TempDir Path folder) throws IOException {
        workshop = new Workshop(folder.toRealPath());
        project = workshop.project("project");
        home = Files.createDirectories(workshop.folder.resolve("home"));
        publish("1.0.0", servers("local", LOCAL, "bare", BARE, "remote", REMOTE), SERVER, "c.json {}");
    }

    @AfterEach
    void close() {
        workshop.close();
    }

    /// Returns a `mcp.json` with these servers: name, entry, name, entry.
    private static String servers(String... servers) {
        var all = new ArrayList<String>();
        for (int i = 0; i < servers.length; i += 2) {
            all.add("\"" + servers[i] + "\": " + servers[i + 1]);
        }
        return "mcp.json {\"$schema\": \"https://agent-plugins.org/schemas/1.0.0/mcp.schema.json\", \"mcpServers\": {"
                + String.join(", ", all) + "}}";
    }

    private void publish(String version, String... files) {
        var all = new ArrayList<>(List.of(MANIFEST, SKILL));
        all.addAll(List.of(files));
        workshop.publish("acme/kit:" + version, all.toArray(String[]::new));
    }

    private WantedBundle wish(String agents, String... things) {
        return new WantedBundle(
                workshop.registry.url(),
                Workshop.KIT,
                Reference.parse("acme/kit:^1.0").selector(),
                Arrays.stream(things).map(ThingName::parse).collect(Collectors.toCollection(TreeSet::new)),
                new TreeSet<>(List.of(agents.split(" "))),
                false);
    }

    private Installation user(String agents, String... things) {
        var user = workshop.home(home);
        user.add(Set.of(wish(agents, things)), ALLOWED);
        return user;
    }

    private JsonNode entry(Path root, String file, String member, String name) throws IOException {
        return JsonMapper.shared()
                .readTree(Files.readString(root.resolve(file)))
                .path(member)
                .path(name);
    }

    private String root() {
        return home.resolve(".local/share/sheaf/plugins/acme/kit").toString();
    }

    private Path data() {
        return home.resolve(".local/share/sheaf/plugin-data")
                .resolve(workshop.registry.url().folderName())
                .resolve("acme/kit");
    }

    // --- for each program ---

    static Stream<Arguments> programs() {
        return Agents.all().stream()
                .flatMap(agent -> Arrays.stream(InstallLevel.values()).map(level -> Arguments.of(agent.id(), level)));
    }

    /// It is in the file that the program reads, in its form, or said to be left out.
    @ParameterizedTest
    @MethodSource("programs")
    void everyProgramGetsItsServersInItsOwnForm(String id, InstallLevel level) throws IOException {
        boolean isUser = level == InstallLevel.USER;
        Path root = isUser ? home : project;
        var installation = isUser ? workshop.home(home) : workshop.in(project);
        var agent = Agents.named(id);
        String skill = agent.place(level, ThingName.parse("a")).orElseThrow() + "/SKILL.md";

        installation.add(Set.of(wish(id)), InstallOptions.DEFAULT);
        assertThat(Workshop.tree(root).keySet())
                .filteredOn(file -> !file.contains("sheaf-install.") && !Workshop.isNote(file))
                .as("without consent")
                .containsExactly(skill);
        assertThat(workshop.notices).anyMatch(notice -> notice.contains("mcp/bare (npx -y db@1"));
        installation.add(Set.of(wish(id)), ALLOWED);

        assertThat(root.resolve(level.plugins() + "acme/kit/bin/server")).isExecutable();
        String place = agent.place(level, ThingName.parse("mcp/bare")).orElse("");
        if (place.isEmpty()) {
            assertThat(workshop.notices)
                    .anyMatch(notice -> notice.startsWith("mcp/bare of acme/kit:1.0.0 is left out: none of " + id));
        } else {
            int member = place.indexOf('#');
            var entry = entry(
                    root, place.substring(0, member), place.substring(member + 1, place.lastIndexOf('/')), "bare");
            assertThat(entry.toString())
                    .startsWith(
                            agent.form() == ServerForm.OPENCODE
                                    ? "{\"type\":\"local\",\"command\":[\"npx\",\"-y\",\"db@1\"]"
                                    : "{\"command\":\"npx\",\"args\":[\"-y\",\"db@1\"]");
        }
    }

    // --- in a project ---

    /// Consent to what another thing runs is not a wish for the plugin.
    @Test
    void whatIsAllowedToOthersDoesNotInstallAPluginThatWasLeftOut() {
        var installation = workshop.in(project);
        installation.add(Set.of(wish("claude-code")), InstallOptions.DEFAULT);
        var skills = Workshop.things(project).keySet();

        installation.update(Set.of(), ALLOWED);
        assertThat(Workshop.things(project).keySet()).isEqualTo(skills);
        installation.add(Set.of(wish("claude-code", "a")), ALLOWED);
        assertThat(Workshop.things(project).keySet()).isEqualTo(skills);
        installation.add(Set.of(wish("claude-code")), ALLOWED);
        assertThat(Workshop.things(project).keySet()).contains(".agents/plugins/acme/kit/plugin.json");
    }

    @Test
    void withoutTheOptionOnlySkillsAreWrittenAndTheRestIsNamed() {
        workshop.in(project).add(Set.of(wish("claude-code cursor")), InstallOptions.DEFAULT);

        assertThat(Workshop.things(project).keySet())
                .containsExactly(".agents/skills/a/SKILL.md", ".claude/skills/a/SKILL.md");
        assertThat(workshop.notices)
                .contains(
                        "acme/kit:1.0.0 is a plugin. Its folder and its servers are left out, because programs run what"
                                + " is there by themselves: mcp/bare (npx -y db@1), mcp/remote (https://mcp.example/ X-Tenant: …)."
                                + " To install them too: sheaf add 'acme/kit:^1.0' --allow-exec");
        assertThat(workshop.in(project)
                        .install(InstallOptions.DEFAULT.frozen(true))
                        .written())
                .isZero();

        workshop.in(project).add(Set.of(wish("claude-code cursor")), ALLOWED);
        assertThat(workshop.in(project).list().getFirst().things())
                .containsKeys(FOLDER, ThingName.parse("mcp/bare"), ThingName.parse("mcp/remote"));
    }

    @Test
    void theWholePluginIsWrittenOnceAndOnlyServersThatWorkElsewhere() throws IOException {
        workshop.in(project).add(Set.of(wish("claude-code cursor codex opencode")), ALLOWED);

        var tree = Workshop.things(project);
        assertThat(tree).containsEntry(".agents/plugins/acme/kit/bin/server", "#!/bin/sh*");
        assertThat(tree.keySet())
                .containsExactly(
                        ".agents/plugins/acme/kit/bin/server",
                        ".agents/plugins/acme/kit/c.json",
                        ".agents/plugins/acme/kit/mcp.json",
                        ".agents/plugins/acme/kit/plugin.json",
                        ".agents/plugins/acme/kit/skills/a/SKILL.md",
                        ".agents/skills/a/SKILL.md",
                        ".claude/skills/a/SKILL.md",
                        ".cursor/mcp.json",
                        ".mcp.json",
                        "opencode.json");
        for (String file : new String[] {".mcp.json", ".cursor/mcp.json"}) {
            assertThat(entry(project, file, "mcpServers", "bare").toString())
                    .isEqualTo("{\"command\":\"npx\",\"args\":[\"-y\",\"db@1\"]}");
            assertThat(entry(project, file, "mcpServers", "remote").toString())
                    .isEqualTo(
                            "{\"type\":\"http\",\"url\":\"https://mcp.example/\",\"headers\":{\"X-Tenant\":\"public\"}}");
            assertThat(entry(project, file, "mcpServers", "local").isMissingNode())
                    .isTrue();
        }
        assertThat(entry(project, "opencode.json", "mcp", "bare").toString())
                .isEqualTo("{\"type\":\"local\",\"command\":[\"npx\",\"-y\",\"db@1\"]}");
        assertThat(tree.toString()).doesNotContain(project.toString());
        assertThat(workshop.notices)
                .contains(
                        "the server \"local\" of mcp.json is left out: it needs the folder of the plugin, whose path is"
                                + " another one on each machine; to install it for all your projects: --user",
                        "mcp/bare, mcp/remote of acme/kit:1.0.0 are left out for Codex: sheaf does not write into their"
                                + " settings for servers of a project");
        assertThat(workshop.in(project)
                        .install(InstallOptions.DEFAULT.frozen(true))
                        .written())
                .isZero();

        workshop.in(project).remove(Workshop.KIT, Set.of(), InstallOptions.DEFAULT);
        assertThat(Workshop.things(project)).isEmpty();
    }

    @Test
    void aPluginWithoutSkillsNeedsConsent() {
        workshop.publish("acme/kit:1.0.0", MANIFEST, servers("bare", BARE));
        var before = Workshop.tree(project);

        assertThatThrownBy(() -> workshop.in(project).add(Set.of(wish("claude-code")), InstallOptions.DEFAULT))
                .isInstanceOf(SheafException.NeedsConsent.class)
                .hasMessageContaining("mcp/bare of acme/kit:1.0.0: npx -y db@1")
                .hasMessageContaining("plugins/acme/kit of acme/kit:1.0.0, plugin.json: it has a name");
        assertThat(Workshop.tree(project)).isEqualTo(before);
    }

    @Test
    void whatIsNamedNeedsConsent() {
        assertThatThrownBy(
                        () -> workshop.in(project).add(Set.of(wish("claude-code", "mcp/bare")), InstallOptions.DEFAULT))
                .isInstanceOf(SheafException.NeedsConsent.class);

        workshop.in(project).add(Set.of(wish("claude-code", "mcp/bare")), ALLOWED);
        assertThat(Workshop.things(project)).containsOnlyKeys(".mcp.json");
    }

    /// An update never takes away what was allowed before, and each changed file needs consent.
    @Test
    void anUpdateOfAnInstalledPluginNeedsConsent() {
        workshop.in(project).add(Set.of(wish("claude-code")), ALLOWED);
        publish("1.1.0", servers("bare", BARE), SERVER + " -x", "c.json {}");
        var before = Workshop.tree(project);

        assertThatThrownBy(() -> workshop.in(project).update(Set.of(), InstallOptions.DEFAULT))
                .isInstanceOf(SheafException.NeedsConsent.class)
                .hasMessageContaining("with it change bin/server");
        assertThat(Workshop.tree(project)).isEqualTo(before);

        workshop.in(project).update(Set.of(), ALLOWED);
        assertThat(Workshop.tree(project))
                .containsEntry(".agents/plugins/acme/kit/bin/server", "#!/bin/sh -x*")
                .doesNotContainKey(".agents/plugins/acme/kit/none");
    }

    @Test
    void aCloneNeedsItsOwnConsent() {
        workshop.in(project).add(Set.of(wish("claude-code")), ALLOWED);
        Path clone = workshop.project("clone");
        Workshop.copyState(project, clone);

        assertThatThrownBy(() -> workshop.in(clone).install(InstallOptions.DEFAULT.frozen(true)))
                .isInstanceOf(SheafException.NeedsConsent.class);
        workshop.in(clone).install(ALLOWED.frozen(true));

        assertThat(Workshop.things(clone)).isEqualTo(Workshop.things(project));
    }

    @Test
    void anEqualNameIsWrittenOnceFromTheFileOfPlugins() throws IOException {
        publish(
                "1.0.0",
                servers("db", BARE, "only", "{\"type\": \"stdio\", \"command\": \"./bin/none\"}"),
                ".mcp.json {\"mcpServers\": {\"db\": {\"command\": \"other\"}, \"only\": {\"command\": \"other\"},"
                        + " \"web\": {\"url\": \"https://web.example\"}}}");

        workshop.in(project).add(Set.of(wish("claude-code")), ALLOWED);

        assertThat(entry(project, ".mcp.json", "mcpServers", "db")
                        .path("command")
                        .asString())
                .isEqualTo("npx");
        assertThat(entry(project, ".mcp.json", "mcpServers", "only").isMissingNode())
                .isTrue();
        assertThat(entry(project, ".mcp.json", "mcpServers", "web").isObject()).isTrue();
    }

    // --- for all projects of a user ---

    @ParameterizedTest
    @CsvSource({
        "gemini-cli, .gemini/settings.json, mcpServers",
        "cursor, .cursor/mcp.json, mcpServers",
        "windsurf, .codeium/windsurf/mcp_config.json, mcpServers",
        "amp, .config/amp/settings.json, amp.mcpServers",
        "kiro, .kiro/settings/mcp.json, mcpServers"
    })
    void serversOfAUserHaveAbsolutePathsAndTheVariables(String agent, String file, String member) throws IOException {
        user(agent);

        var entry = entry(home, file, member, "local");
        assertThat(entry.path("command").asString()).isEqualTo(root() + "/bin/server");
        assertThat(Path.of(entry.path("command").asString())).isExecutable();
        assertThat(entry.path("args").toString()).isEqualTo("[\"--data\",\"" + data() + "/db\",\"" + root() + "\"]");
        assertThat(entry.path("env").toString())
                .isEqualTo("{\"CONFIG\":\"" + root() + "/c.json\",\"PLUGIN_DATA\":\"" + data() + "\",\"PLUGIN_ROOT\":\""
                        + root() + "\"}");
        assertThat(entry.path("cwd").asString()).isEqualTo(root());
        assertThat(entry(home, file, member, "bare").path("command").asString()).isEqualTo("npx");
        assertThat(data()).isDirectory();
    }

    @Test
    void openCodeHasItsOwnForm() throws IOException {
        user("opencode");

        assertThat(entry(home, ".config/opencode/opencode.json", "mcp", "local").toString())
                .isEqualTo("{\"type\":\"local\",\"command\":[\"" + root() + "/bin/server\",\"--data\",\"" + data()
                        + "/db\",\"" + root() + "\"],\"environment\":{\"CONFIG\":\"" + root()
                        + "/c.json\",\"PLUGIN_DATA\":\"" + data() + "\",\"PLUGIN_ROOT\":\"" + root() + "\"},\"cwd\":\""
                        + root() + "\"}");
    }

    @Test
    void dataOutlivesUpdatesAndRemovals() throws IOException {
        var user = user("gemini-cli");
        Files.writeString(data().resolve("db"), "mine");
        publish("1.1.0", servers("local", LOCAL), SERVER + " -x", "c.json {}");

        user.update(Set.of(), ALLOWED);
        assertThat(home.resolve(".local/share/sheaf/plugins/acme/kit/bin/server"))
                .hasContent("#!/bin/sh -x");
        assertThat(entry(home, ".gemini/settings.json", "mcpServers", "bare").isMissingNode())
                .isTrue();
        user.remove(Workshop.KIT, Set.of(), InstallOptions.DEFAULT);

        assertThat(Path.of(root())).doesNotExist();
        assertThat(home.resolve(".gemini/settings.json")).doesNotExist();
        assertThat(data().resolve("db")).hasContent("mine");
        assertThat(workshop.notices)
                .contains(
                        "the data of acme/kit is kept in " + data() + "; remove that folder if you no longer need it");

        user = user("gemini-cli");
        assertThat(data().resolve("db")).hasContent("mine");
        user.remove(Workshop.KIT, Set.of(), InstallOptions.DEFAULT.purgeData(true));
        assertThat(data()).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "./sub, sub",
                "./sub/../sub/., sub",
                "${PLUGIN_ROOT}, -",
                "${PLUGIN_ROOT}/sub, sub",
                "${PLUGIN_DATA}, data",
                "${PLUGIN_DATA}/x, data/x"
            })
    void theWorkingDirectoryIsInThePluginOrInItsData(String stated, String meant) throws IOException {
        publish(
                "1.0.0",
                servers("s", "{\"type\": \"stdio\", \"command\": \"npx\", \"cwd\": \"" + stated + "\"}"),
                "sub/x y");

        user("gemini-cli");

        String wanted = meant == null
                ? root()
                : meant.startsWith("data") ? data() + meant.substring("data".length()) : root() + "/" + meant;
        assertThat(entry(home, ".gemini/settings.json", "mcpServers", "s")
                        .path("cwd")
                        .asString())
                .isEqualTo(wanted);
        assertThat(workshop.notices)
                .as("what is consented to")
                .anyMatch(notice -> notice.startsWith("runs programs automatically: mcp/s of ")
                        && notice.contains(": npx, in the folder " + wanted + ", with PLUGIN_DATA="));
    }

    @Test
    void serversAreNotSelectedWithoutTheirFolder() {
        assertThatThrownBy(() -> user("gemini-cli", "mcp/local"))
                .isInstanceOf(SheafException.InvalidRequest.class)
                .hasMessageContaining("mcp/local of acme/kit:1.0.0 cannot run without plugins/acme/kit")
                .hasMessageEndingWith("sheaf add 'acme/kit:^1.0#mcp/local,plugins/acme/kit' --user");

        var user = user("gemini-cli", "mcp/local", "mcp/remote", "plugins/acme/kit");
        assertThatThrownBy(() -> user.remove(Workshop.KIT, Set.of(FOLDER), InstallOptions.DEFAULT))
                .isInstanceOf(SheafException.InvalidRequest.class);
        user.remove(Workshop.KIT, Set.of(FOLDER, ThingName.parse("mcp/local")), InstallOptions.DEFAULT);
        assertThat(Path.of(root())).doesNotExist();
    }

    // --- what strangers write into a plugin ---

    /// Programs know more variables than the specification, which wants such values as they are.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "${HOME} | opencode",
                "$HOME | cursor opencode",
                "%HOME% | cursor opencode",
                "%0% | cursor opencode",
                "%1X% | cursor opencode",
                "%E2%82%AC | cursor gemini-cli opencode",
                "${env:TOKEN} | none",
                "${input:x} | opencode",
                "{env:TOKEN} | cursor gemini-cli",
                "{file:/etc/passwd} | cursor gemini-cli",
                "$ 5 {x} %d | cursor gemini-cli opencode"
            })
    void whatAProgramWouldReplaceIsLeftOutForIt(String value, String takenBy) throws IOException {
        for (String server : new String[] {
            "{\"type\": \"stdio\", \"command\": \"npx\", \"args\": [\"" + value + "\"]}",
            "{\"type\": \"stdio\", \"command\": \"npx\", \"env\": {\"A\": \"${PLUGIN_ROOT}" + value + "\"}}",
            "{\"type\": \"sse\", \"url\": \"https://x.example\", \"headers\": {\"A\": \"" + value + "\"}}"
        }) {
            publish("1.0.0", servers("s", server));
            var user = user("cursor gemini-cli opencode");
            var taken = new TreeSet<String>();
            Map.of(
                            "cursor", ".cursor/mcp.json#mcpServers/s",
                            "gemini-cli", ".gemini/settings.json#mcpServers/s",
                            "opencode", ".config/opencode/opencode.json#mcp/s")
                    .forEach((agent, place) -> {
                        var things = user.list().getFirst().things();
                        if (things.getOrDefault(ThingName.parse("mcp/s"), List.of())
                                .contains(place)) {
                            taken.add(agent);
                        }
                    });
            assertThat(taken.isEmpty() ? "none" : String.join(" ", taken))
                    .as(server)
                    .isEqualTo(takenBy);
            assertThat(workshop.notices.stream()
                            .filter(notice -> notice.contains("replace"))
                            .count())
                    .isEqualTo(taken.size() < 3 ? 1 : 0);
            assertThat(user.install(InstallOptions.DEFAULT.frozen(true)).written())
                    .isZero();
            user.remove(Workshop.KIT, Set.of(), InstallOptions.DEFAULT);
            workshop.notices.clear();
        }
    }

    @Test
    void aBackslashBeforeADollarIsReplacedToo() {
        assertThat(ServerForm.PLAIN.replaced("a\\$ b")).hasValue("\\$");
        assertThat(ServerForm.ENV.replaced("a\\$ b")).isEmpty();
    }

    @Test
    void placeholdersAreReplacedOnce() throws IOException {
        Path odd = Files.createDirectories(workshop.folder.resolve("{PLUGIN_DATA}"));
        publish("1.0.0", servers("s", "{\"type\": \"stdio\", \"command\": \"npx\", \"args\": [\"$${PLUGIN_ROOT}\"]}"));

        workshop.home(odd).add(Set.of(wish("opencode")), ALLOWED);

        assertThat(entry(odd, ".config/opencode/opencode.json", "mcp", "s")
                        .path("command")
                        .path(1)
                        .asString())
                .isEqualTo("$" + odd.resolve(".local/share/sheaf/plugins/acme/kit"));
    }

    @Test
    void valuesStayStrings() throws IOException {
        String value = "\\\"}, \\\"mcpServers\\\": {\\\"evil\\\": {\\\"command\\\": \\\"sh\\\"}}, \\n// \\u2028 */";
        publish("1.0.0", servers("s", "{\"type\": \"stdio\", \"command\": \"npx\", \"args\": [\"" + value + "\"]}"));
        Files.createDirectories(home.resolve(".gemini"));
        Files.writeString(home.resolve(".gemini/settings.json"), "{\"theme\": \"x\", \"mcpServers\": {\"mine\": {}}}");

        var user = user("gemini-cli");

        var all = JsonMapper.shared().readTree(Files.readString(home.resolve(".gemini/settings.json")));
        assertThat(all.propertyNames()).containsExactly("theme", "mcpServers");
        assertThat(all.path("mcpServers").propertyNames()).containsExactly("mine", "s");
        assertThat(all.at("/mcpServers/s/args/0").asString()).contains("\"evil\": {\"command\": \"sh\"}");
        user.remove(Workshop.KIT, Set.of(), InstallOptions.DEFAULT);
        assertThat(home.resolve(".gemini/settings.json"))
                .hasContent("{\"theme\": \"x\", \"mcpServers\": {\"mine\": {}}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "__proto__ | {'type': 'stdio', 'command': 'npx'} | is not a valid name of a server",
                "constructor | {'type': 'stdio', 'command': 'npx'} | is not a valid name of a server",
                "a/b | {'type': 'stdio', 'command': 'npx'} | is not a valid name of a server",
                "s | {'type': 'stdio', 'command': 'npx', 'env': {'A=B': 'x'}} | not a name of a variable",
                "s | {'type': 'stdio', 'command': 'npx', 'env': {'${HOME}': 'x'}} | not a name of a variable",
                "s | {'type': 'stdio', 'command': 'npx', 'env': {'Plugin_Root': 'x'}} | not a name of a variable",
                "s | {'type': 'stdio', 'command': 'npx', 'env': {'PLUGIN_ROOT': 'x'}} | programs set PLUGIN_ROOT",
                "s | {'type': 'stdio', 'command': 'npx', 'args': ['a\\u0000b']} | U+0000",
                "s | {'type': 'stdio', 'command': 'a;b'} | other characters than letters",
                "s | {'type': 'stdio', 'command': '-c'} | other characters than letters",
                "s | {'type': 'stdio', 'command': '/bin/sh'} | must be the name of a program",
                "s | {'type': 'stdio', 'command': './../x'} | leaves the plugin",
                "s | {'type': 'stdio', 'command': './bin/none'} | the plugin has no file",
                "s | {'type': 'stdio', 'command': 'npx', 'cwd': '../x'} | cwd must begin with",
                "s | {'type': 'stdio', 'command': 'npx', 'cwd': '${PLUGIN_DATA}/../..'} | stay inside",
                "s | {'type': 'stdio', 'command': 'npx', 'cwd': './${PLUGIN_DATA}'} | not at the beginning",
                "s | {'type': 'stdio', 'command': 'npx', 'cwd': './none'} | is not a folder of the plugin",
                "s | {'type': 'stdio', 'command': 'npx', 'shell': true} | not a member",
                "s | {'type': 'sse', 'url': 'http://x.example'} | https"
            })
    void whatNoProgramMayGetIsLeftOut(String name, String entry, String why) {
        publish("1.0.0", servers(name, entry.replace('\'', '"').replace("\\\\", "\\"), "good", BARE));

        var user = user("gemini-cli");

        assertThat(user.list().getFirst().things().keySet().stream().map(ThingName::toString))
                .containsExactly("a", "mcp/good", "plugins/acme/kit");
        assertThat(workshop.notices).anyMatch(notice -> notice.contains(why));
    }

    @Test
    void aManifestThatProgramsRefuseMakesNoPlugin() {
        workshop.publish("acme/kit:1.0.0", "plugin.json {\"name\": \"kit\"}", SKILL, servers("bare", BARE));

        workshop.in(project).add(Set.of(wish("claude-code")), ALLOWED);

        assertThat(Workshop.things(project)).containsOnlyKeys(".claude/skills/a/SKILL.md");
        assertThat(workshop.notices)
                .contains("plugin.json is left out: programs for Agent Plugins 1.0 refuse it, and sheaf lint says why");
    }

    @Test
    void entriesOfTheUserAndOfOtherPluginsStay() throws IOException {
        user("gemini-cli");
        var before = Workshop.tree(home);
        workshop.publish("acme/evil:1.0.0", MANIFEST, SKILL.replace("/a/", "/b/"), servers("local", BARE));
        var evil = wish("gemini-cli");
        var other = new WantedBundle(
                evil.registry(),
                Reference.parse("acme/evil").repository(),
                evil.range(),
                evil.things(),
                evil.agents(),
                false);
        for (boolean force : new boolean[] {false, true}) {
            assertThatThrownBy(() -> workshop.home(home).add(Set.of(other), ALLOWED.force(force)))
                    .isInstanceOf(SheafException.Conflict.class)
                    .hasMessageContaining("both acme/evil and acme/kit have mcp/local");
        }
        assertThat(Workshop.tree(home)).isEqualTo(before);

        Path own = Files.createDirectories(workshop.folder.resolve("own"));
        Files.createDirectories(own.resolve(".gemini"));
        Files.writeString(
                own.resolve(".gemini/settings.json"), "{\"mcpServers\": {\"local\": {\"command\": \"own\"}}}");
        for (boolean force : new boolean[] {false, true}) {
            assertThatThrownBy(() -> workshop.home(own).add(Set.of(wish("gemini-cli")), ALLOWED.force(force)))
                    .isInstanceOf(SheafException.Conflict.class)
                    .hasMessageContaining("a server with that name exists");
        }
        assertThat(Workshop.tree(own)).containsOnlyKeys(".gemini/settings.json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".local",
                ".local/share/sheaf",
                ".local/share/sheaf/plugins",
                ".local/share/sheaf/plugins/acme/kit",
                ".local/share/sheaf/plugin-data"
            })
    void nothingIsWrittenThroughALink(String link) throws IOException {
        Path outside = Files.createDirectories(workshop.folder.resolve("outside"));
        Files.createDirectories(home.resolve(link).getParent());
        Files.createSymbolicLink(home.resolve(link), outside);

        assertThatThrownBy(() -> user("gemini-cli"))
                .isInstanceOf(SheafException.Local.class)
                .hasMessageContaining("a symbolic link");

        assertThat(outside).isEmptyDirectory();
        assertThat(home.resolve(".gemini/settings.json")).doesNotExist();
    }

    @Test
    void dataIsNotRemovedThroughALink() throws IOException {
        Path outside = Files.createDirectories(workshop.folder.resolve("outside"));
        Files.writeString(outside.resolve("precious"), "precious");
        var user = user("gemini-cli");
        Files.delete(data());
        Files.createSymbolicLink(data(), outside);

        user.remove(Workshop.KIT, Set.of(), InstallOptions.DEFAULT.purgeData(true));

        assertThat(outside.resolve("precious")).hasContent("precious");
    }

    @Test
    void aLockThatNamesAnotherPluginIsRefused() throws IOException {
        workshop.in(project).add(Set.of(wish("claude-code")), ALLOWED);
        Path lock = project.resolve("sheaf-install.lock");
        String text = Files.readString(lock);
        for (String[] other : new String[][] {
            {"plugins/acme/kit", "plugins/acme/own"},
            {"\".agents/plugins/acme/kit\"", "\".agents/plugins/acme/own\""},
            {"\".agents/plugins/acme/kit\"", "\".agents/plugins/acme/kit/../../../x\""},
            {"\"bin/server\"", "\"../server\""}
        }) {
            Files.writeString(lock, text.replace(other[0], other[1]));
            assertThatThrownBy(() -> workshop.in(project).install(ALLOWED.frozen(true)))
                    .as(other[1])
                    .isInstanceOf(SheafException.Local.class)
                    .hasMessageContaining("sheaf-install.lock:");
        }
    }

    @Test
    void filesOfTheUserInItsFolderStay() throws IOException {
        workshop.in(project).add(Set.of(wish("claude-code")), ALLOWED);
        Path mine = project.resolve(".agents/plugins/acme/kit/mine");
        Files.writeString(mine, "mine");
        Files.writeString(project.resolve(".agents/plugins/acme/kit/c.json"), "mine");

        var report = workshop.in(project).remove(Workshop.KIT, Set.of(), InstallOptions.DEFAULT);

        assertThat(report.kept()).containsExactly(".agents/plugins/acme/kit/c.json");
        assertThat(Workshop.things(project))
                .containsOnlyKeys(".agents/plugins/acme/kit/c.json", ".agents/plugins/acme/kit/mine");
        assertThat(Files.exists(mine, LinkOption.NOFOLLOW_LINKS)).isTrue();
    }
}
