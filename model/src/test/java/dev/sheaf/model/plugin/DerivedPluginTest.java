package dev.sheaf.model.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.LogicalPath;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DerivedPluginTest {
    private static Map<String, String> files(DerivedPlugin plugin, String... version) {
        var files = new TreeMap<String, String>();
        plugin.files(List.of(version).stream().map(LogicalPath::new).toList())
                .forEach((path, bytes) -> files.put(path.value(), new String(bytes, StandardCharsets.UTF_8)));
        return files;
    }

    /// Commits that were fetched name these bytes.
    @Test
    void theBytesNeverChange() {
        assertThat(files(new DerivedPlugin("acme.kit", "1.2.0", "Says \"a\"."), "SKILL.md"))
                .containsOnly(
                        Map.entry(
                                "plugin.json",
                                "{\"$schema\":\"https://agent-plugins.org/schemas/1.0.0/plugin.schema.json\","
                                        + "\"description\":\"Says \\\"a\\\".\",\"name\":\"acme.kit\",\"version\":\"1.2.0\"}\n"),
                        Map.entry(
                                ".claude-plugin/plugin.json",
                                "{\"description\":\"Says \\\"a\\\".\",\"name\":\"acme.kit\",\"version\":\"1.2.0\"}\n"),
                        Map.entry(
                                "gemini-extension.json",
                                "{\"description\":\"Says \\\"a\\\".\",\"name\":\"acme-kit\",\"version\":\"1.2.0\"}\n"));
        assertThat(files(new DerivedPlugin("kit", "1.2.0", null), "SKILL.md"))
                .containsEntry("gemini-extension.json", "{\"name\":\"kit\",\"version\":\"1.2.0\"}\n");
    }

    @Test
    void noFileOfTheVersionIsReplaced() {
        var plugin = new DerivedPlugin("kit", "1.0.0", null);

        assertThat(files(plugin, "gemini-extension.json", "a"))
                .containsOnlyKeys("plugin.json", ".claude-plugin/plugin.json");
        assertThat(files(plugin, ".claude-plugin")).containsOnlyKeys("plugin.json", "gemini-extension.json");
        assertThat(files(plugin, "Plugin.json"))
                .containsOnlyKeys(".claude-plugin/plugin.json", "gemini-extension.json");
    }

    @ParameterizedTest
    @CsvSource({"kit, kit", "a_b, a-b", "a__b, a-b", "a--b, a-b", "a..b, a-b", "a.b, a.b", "a_-b, a-b", "a..-b, a-b"})
    void namesOfBundlesBecomeNamesOfPlugins(String slug, String name) {
        assertThat(PluginManifest.nameOf(slug)).contains(name);
    }

    @Test
    void aLongNameBecomesNone() {
        assertThat(PluginManifest.nameOf("a".repeat(65))).isEmpty();
    }

    @Test
    void derivedFilesAreRecognizedWhateverTheirVersion() {
        new DerivedPlugin("kit", "0.9.0", "x").files(List.of()).forEach((path, bytes) -> {
            assertThat(DerivedPlugin.isDerived("kit", path, bytes)).isTrue();
            assertThat(DerivedPlugin.isDerived("other", path, bytes)).isFalse();
            assertThat(DerivedPlugin.isDerived("kit", new LogicalPath("a/" + path), bytes))
                    .isFalse();
            byte[] edited = (" " + new String(bytes, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
            assertThat(DerivedPlugin.isDerived("kit", path, edited)).isFalse();
        });
    }
}
