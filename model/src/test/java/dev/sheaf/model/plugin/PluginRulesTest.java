package dev.sheaf.model.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Version;
import dev.sheaf.model.skill.SkillNote;
import dev.sheaf.model.skill.SkillNote.Level;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The text of Agent Plugins 1.0, rule by rule.
class PluginRulesTest {
    private static final String MANIFEST = """
            {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "kit"%s}""";

    private static PluginRules.Found check(Map<String, String> files) {
        return PluginRules.of(
                "kit",
                Version.parse("1.0.0"),
                files.entrySet(),
                new PluginRules.Reading<>(
                        file -> new LogicalPath(file.getKey()),
                        file -> file.getKey().endsWith(".sh"),
                        file -> Optional.of(file.getValue().getBytes(StandardCharsets.UTF_8))));
    }

    private static List<SkillNote> manifest(String more) {
        return check(Map.of("plugin.json", MANIFEST.formatted(more.isEmpty() ? "" : ", " + more)))
                .notes();
    }

    private static McpFile servers(String entries) {
        return McpFile.read("""
                {"$schema": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json", "mcpServers": {%s}}""".formatted(entries).getBytes(StandardCharsets.UTF_8));
    }

    private static void assertNote(List<SkillNote> notes, Level level, String part) {
        assertThat(notes).as(part).singleElement().satisfies(note -> {
            assertThat(note.level()).isEqualTo(level);
            assertThat(note.message()).contains(part);
        });
    }

    @Test
    void aFullManifestHasNoNotes() {
        var full = """
                "version": "1.0.0", "description": "d", "author": {"name": "A", "email": "a@example.com", "url": "u"},
                "homepage": "not a url", "repository": "r", "license": "not SPDX", "keywords": ["a", "b"],
                "extensions": {"com.example.client": {"deep": [{"any": null}]}}""";

        assertThat(manifest(full)).isEmpty();
        var read = PluginManifest.read(MANIFEST.formatted(", " + full).getBytes(StandardCharsets.UTF_8));
        assertThat(read).hasValueSatisfying(found -> {
            assertThat(found.name()).isEqualTo("kit");
            assertThat(found.keywords()).containsExactly("a", "b");
            assertThat(found.author()).isEqualTo(new PluginManifest.Author("A", "a@example.com", "u"));
        });
    }

    @Test
    void theExampleOfThePageIsRight() throws IOException {
        String page = Files.readString(Path.of("../docs/plugins.md"));
        String example = page.substring(page.indexOf("```json\n") + 8);

        var file = McpFile.read(example.substring(0, example.indexOf("```")).getBytes(StandardCharsets.UTF_8));

        assertThat(file.notes()).isEmpty();
        assertThat(file.servers()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"my-plugin", "acme.tools", "lint3r", "a", "a.b-c.d", "a-.b"})
    void namesThatTheTextAllows(String name) {
        assertThat(PluginManifest.isName(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "My-Plugin", "-start", "end-", ".a", "has--double", "too.many..dots", "a_b", "ä", "a\n"})
    void namesThatItDoesNot(String name) {
        assertThat(PluginManifest.isName(name)).isFalse();
    }

    @Test
    void aNameHasAtMost64Characters() {
        assertThat(PluginManifest.isName("a".repeat(64))).isTrue();
        assertThat(PluginManifest.isName("a".repeat(65))).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"description\": 1 | description: write a string",
                "\"version\": null | version: write a string",
                "\"author\": \"me\" | author: write an object",
                "\"author\": {\"phone\": \"1\"} | \"phone\" is not a member",
                "\"author\": {\"name\": 1} | author.name: write a string",
                "\"keywords\": \"a\" | keywords: write a list",
                "\"keywords\": [\"a\", 1] | keywords: write a list",
                "\"license\": [] | license: write a string",
                "\"name\": \"again\" | \"name\" appears twice"
            })
    void mistakesForWhichProgramsRefuseThePlugin(String more, String part) {
        assertNote(manifest(more), Level.ERROR, part);
        assertThat(PluginManifest.read(MANIFEST.formatted(", " + more).getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"hooks\": {} | \"hooks\" is not a member",
                "\"extensions\": 1 | programs ignore it",
                "\"extensions\": {\"com.example\": 1} | is not an object",
                "\"extensions\": {\"example\": {}} | reversed domain name",
                "\"version\": \"2.0.0\" | is not the version of the bundle"
            })
    void mistakesThatProgramsIgnore(String more, String part) {
        assertNote(manifest(more), Level.WARNING, part);
        assertThat(PluginManifest.read(MANIFEST.formatted(", " + more).getBytes(StandardCharsets.UTF_8)))
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"name\": \"x\"} | \"$schema\" is missing",
                "{\"$schema\": \"https://agent-plugins.org/schemas/9.0.0/plugin.schema.json\"} | not a version",
                "{\"$schema\": \"https://example.com/x\", \"name\": 1} | another format",
                "{\"$schema\": 1} | another format"
            })
    void aFileOfAnotherFormatIsOnlyAWarning(String json, String part) {
        assertNote(check(Map.of("plugin.json", json)).notes(), Level.WARNING, part);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[] | write an object",
                "{,} | not valid JSON",
                "{\"a\": 1,} | the name of a member must be a string",
                "{'a': 1} | the name of a member must be a string",
                "{\"a\": 01} | a value is missing",
                "{\"a\": 1} // c | something follows",
                "{\"a\": \"\\ud800\"} | half a character",
                "{\"a\": \"\\x\"} | an escape",
                "{\"a\" | it ends too early",
                "{} {} | something follows"
            })
    void whatIsNotJsonIsAnError(String json, String part) {
        assertNote(check(Map.of("plugin.json", json)).notes(), Level.ERROR, part);
    }

    @Test
    void aMistakeHasItsLine() {
        assertThat(check(Map.of("plugin.json", MANIFEST.formatted(",\n\n\"license\":\n 1")))
                        .notes())
                .extracting(SkillNote::line)
                .containsExactly(4);
    }

    @Test
    void aDeepDocumentIsRefusedAndNotAStackOverflow() {
        assertNote(check(Map.of("plugin.json", "[".repeat(100_000))).notes(), Level.ERROR, "nested more than");
        assertNote(check(Map.of("plugin.json", " ".repeat(300_000))).notes(), Level.ERROR, "longer than");
    }

    @Test
    void aBundleWithoutManifestIsNotChecked() {
        assertThat(check(Map.of("mcp.json", "x", "a/plugin.json", "x"))).isEqualTo(PluginRules.Found.NOTHING);
    }

    @Test
    void theServersOfTheText() {
        var read = servers("""
                "local-validator": {"type": "stdio", "command": "./bin/validator", "args": ["--data", "${PLUGIN_DATA}/v"],
                  "env": {"CONFIG": "${PLUGIN_ROOT}/config.json"}, "cwd": "${PLUGIN_ROOT}"},
                "deployment-api": {"type": "streamable-http", "url": "https://deploy.example.com/mcp",
                  "headers": {"X-Tenant": "public-tenant"}},
                "legacy-events": {"type": "sse", "url": "http://127.0.0.1:8080/sse"}""");

        assertThat(read.notes()).isEmpty();
        assertThat(read.servers())
                .extracting(PluginServer::words)
                .containsExactly(
                        "./bin/validator --data ${PLUGIN_DATA}/v",
                        "https://deploy.example.com/mcp",
                        "http://127.0.0.1:8080/sse");
        assertThat(servers("").servers()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "1 | write an object",
                "{\"command\": \"x\"} | type must be",
                "{\"type\": \"http\", \"url\": \"https://a.example\"} | type must be",
                "{\"type\": \"stdio\"} | \"command\" is missing",
                "{\"type\": \"stdio\", \"command\": \"../bin/x\"} | command must be",
                "{\"type\": \"stdio\", \"command\": \"/bin/x\"} | command must be",
                "{\"type\": \"stdio\", \"command\": \"npx -y x\"} | command must be",
                "{\"type\": \"stdio\", \"command\": \"\"} | command must be",
                "{\"type\": \"stdio\", \"command\": \"${PLUGIN_ROOT}/x\"} | command must be",
                "{\"type\": \"stdio\", \"command\": \"./a/../../x\"} | command leaves",
                "{\"type\": \"stdio\", \"command\": \"./\"} | command leaves",
                "{\"type\": \"stdio\", \"command\": \"./a\\\\..\\\\x\"} | command leaves",
                "{\"type\": \"stdio\", \"command\": \"x\", \"cwd\": \"data\"} | cwd must",
                "{\"type\": \"stdio\", \"command\": \"x\", \"cwd\": \"/tmp\"} | cwd must",
                "{\"type\": \"stdio\", \"command\": \"x\", \"cwd\": \"${PLUGIN_ROOT}/..\"} | cwd must",
                "{\"type\": \"stdio\", \"command\": \"x\", \"cwd\": \"${PLUGIN_ROOTS}\"} | cwd must",
                "{\"type\": \"stdio\", \"command\": \"x\", \"args\": \"y\"} | args: write a list",
                "{\"type\": \"stdio\", \"command\": \"x\", \"env\": {\"A\": 1}} | env: write an object",
                "{\"type\": \"stdio\", \"command\": \"x\", \"env\": {\"PLUGIN_DATA\": \"y\"}} | set PLUGIN_DATA themselves",
                "{\"type\": \"stdio\", \"command\": \"x\", \"url\": \"https://a.example\"} | \"url\" is not a member",
                "{\"type\": \"sse\", \"url\": \"https://a.example\", \"env\": {}} | \"env\" is not a member",
                "{\"type\": \"sse\"} | \"url\" is missing",
                "{\"type\": \"sse\", \"url\": \"/mcp\"} | absolute address",
                "{\"type\": \"sse\", \"url\": \"ftp://a.example\"} | absolute address",
                "{\"type\": \"sse\", \"url\": \"http://a.example\"} | must begin with https",
                "{\"type\": \"sse\", \"url\": \"http://localhost.example\"} | must begin with https",
                "{\"type\": \"sse\", \"url\": \"https://u:p@a.example\"} | neither a user nor a fragment",
                "{\"type\": \"sse\", \"url\": \"https://a.example/#x\"} | neither a user nor a fragment",
                "{\"type\": \"sse\", \"url\": \"https://a.example/\\n\"} | not a valid address",
                "{\"type\": \"sse\", \"url\": \"https://a.example\", \"headers\": {\"a b\": \"\"}} | not a valid header",
                "{\"type\": \"sse\", \"url\": \"https://a.example\", \"headers\": {\"a\": \"x\\r\\ny\"}} | not a valid header",
                "{\"type\": \"sse\", \"url\": \"https://a.example\", \"headers\": {\"a\": \"\", \"A\": \"\"}} | appears twice"
            })
    void entriesThatProgramsSkip(String entry, String part) {
        var read = servers("\"bad\": " + entry + ", \"good\": {\"type\": \"stdio\", \"command\": \"npx\"}");

        assertNote(read.notes(), Level.ERROR, part);
        assertThat(read.servers()).extracting(PluginServer::name).containsExactly("good");
    }

    @Test
    void aHeaderForACredentialIsAWarning() {
        var read = servers("""
                "a": {"type": "sse", "url": "https://a.example", "headers": {"Authorization": "Bearer x"}}""");

        assertNote(read.notes(), Level.WARNING, "Authorization is for a credential");
        assertThat(read.servers()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"mcpServers\": {}} | $schema: write",
                "{\"$schema\": \"https://agent-plugins.org/schemas/1.1.0/mcp.schema.json\", \"mcpServers\": {}} | $schema: write",
                "{\"$schema\": \"https://agent-plugins.org/schemas/1.0.0/mcp.schema.json\"} | mcpServers: write",
                "{\"$schema\": \"https://agent-plugins.org/schemas/1.0.0/mcp.schema.json\", \"mcpServers\": {}, \"x\": 1} | is not a member"
            })
    void filesThatProgramsIgnore(String json, String part) {
        assertNote(McpFile.read(json.getBytes(StandardCharsets.UTF_8)).notes(), Level.ERROR, part);
    }

    @Test
    void programsOfServersMustBeFilesOfTheBundle() {
        var files = new TreeMap<>(Map.of("plugin.json", MANIFEST.formatted(""), "bin/plain", "x", "bin/run.sh", "x"));
        files.put("mcp.json", """
                {"$schema": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json", "mcpServers": {
                  "gone": {"type": "stdio", "command": "./bin/gone"},
                  "plain": {"type": "stdio", "command": "./bin/../bin/plain"},
                  "run": {"type": "stdio", "command": "./bin/run.sh", "args": ["a"]}}}""");

        var found = check(files);

        assertThat(found.notes())
                .extracting(SkillNote::message)
                .containsExactly(
                        "the server \"gone\": command: the bundle has no file \"bin/gone\"",
                        "the server \"plain\": starts this file, which is not executable");
        assertThat(found.all().getFirst().message()).contains("run: ./bin/run.sh a");
    }

    @Test
    void skillsMustBeAFolder() {
        assertNote(
                check(Map.of("plugin.json", MANIFEST.formatted(""), "skills", ""))
                        .notes(),
                Level.WARNING,
                "look for a folder");
    }
}
