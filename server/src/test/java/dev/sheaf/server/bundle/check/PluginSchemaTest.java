package dev.sheaf.server.bundle.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.sheaf.model.plugin.DerivedPlugin;
import dev.sheaf.model.plugin.McpFile;
import dev.sheaf.model.plugin.PluginManifest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Our rules for plugins take nothing that the schemas of Agent Plugins 1.0 refuse. The schemas are those of
/// agentplugins/agent-plugins-spec (Apache License 2.0), `schemas/1.0.0` of 2026-07-19.
class PluginSchemaTest {
    private static boolean fits(String schema, String json) throws IOException {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(Files.readString(Path.of("src/test/resources/plugin/" + schema + ".schema.json")))
                .validate(json, InputFormat.JSON)
                .isEmpty();
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static String manifest(String members) {
        return "{\"$schema\": \"%s\", %s}".formatted(PluginManifest.SCHEMA, members);
    }

    private static String servers(String entry) {
        return "{\"$schema\": \"%s\", \"mcpServers\": {\"one\": %s}}".formatted(McpFile.SCHEMA, entry);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"name\": \"a.b-c\"",
                "\"name\": \"kit\", \"version\": \"1.0.0\", \"keywords\": [\"a\"], \"author\": {\"name\": \"A\", \"url\": \"u\"}",
                "\"name\": \"kit\", \"license\": \"MIT\", \"extensions\": {\"com.example\": {\"deep\": [1]}}"
            })
    void goodManifestsFit(String members) throws IOException {
        assertThat(PluginManifest.read(bytes(manifest(members)))).isPresent();
        assertThat(fits("plugin", manifest(members))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"version\": \"1.0.0\"",
                "\"name\": \"a--b\"",
                "\"name\": \"Kit\"",
                "\"name\": \"kit\", \"version\": 1",
                "\"name\": \"kit\", \"keywords\": [1]",
                "\"name\": \"kit\", \"author\": {\"phone\": \"1\"}"
            })
    void bothRefuseAManifest(String members) throws IOException {
        assertThat(fits("plugin", manifest(members))).isFalse();
        assertThat(PluginManifest.read(bytes(manifest(members)))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\": \"stdio\"}",
                "{\"type\": \"stdio\", \"command\": \"\"}",
                "{\"type\": \"stdio\", \"command\": \"a\", \"url\": \"https://docs.dev\"}",
                "{\"type\": \"stdio\", \"command\": \"a\", \"cwd\": \"/tmp\"}",
                "{\"type\": \"stdio\", \"command\": \"a\", \"args\": [1]}",
                "{\"type\": \"stdio\", \"command\": \"a\", \"env\": {\"PLUGIN_ROOT\": \"x\"}}",
                "{\"type\": \"sse\", \"command\": \"a\"}",
                "{\"type\": \"streamable-http\", \"url\": \"https://docs.dev\", \"headers\": {\"A\": 1}}",
                "{\"type\": \"http\", \"url\": \"https://docs.dev\"}"
            })
    void bothRefuseAServer(String entry) throws IOException {
        assertThat(fits("mcp", servers(entry))).isFalse();
        assertThat(McpFile.read(bytes(servers(entry))).servers()).isEmpty();
    }

    @Test
    void whatWeShowAndDeriveFits() throws IOException {
        String page = Files.readString(Path.of("../docs/plugins.md"));
        String example = page.substring(page.indexOf("```json\n") + 8);
        var derived = new DerivedPlugin("kit", "1.0.0", "Does it.").files(List.of());

        assertThat(fits("mcp", example.substring(0, example.indexOf("```")))).isTrue();
        assertThat(fits(
                        "plugin",
                        new String(Objects.requireNonNull(derived.get(PluginManifest.PATH)), StandardCharsets.UTF_8)))
                .isTrue();
    }
}
