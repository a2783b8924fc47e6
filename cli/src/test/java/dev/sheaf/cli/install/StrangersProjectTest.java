package dev.sheaf.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.cli.CommandLineFixture;
import dev.sheaf.client.testing.TinyRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A project that is cloned names registries of its own; what is kept for others is not sent there.
class StrangersProjectTest extends CommandLineFixture {
    private static final byte[] SKILL = "# Skill\n".getBytes(StandardCharsets.UTF_8);

    @Test
    void aKeyGoesToNoRegistryThatOnlyAProjectNames() throws IOException {
        environment.put("SHEAF_API_KEY", TinyRegistry.KEY);
        try (var other = TinyRegistry.start()) {
            other.content.publish("acme/kit:1.0.0", Map.of("skills/a/SKILL.md", SKILL));
            Path project = Files.createDirectories(folder.resolve("project"));
            Files.writeString(project.resolve("sheaf-install.json"), """
                    {"version": 1, "bundles": {
                      "acme/kit": {"range": "1.0.0", "agents": ["claude-code"], "mode": "copy", "registry": "%s"}
                    }}
                    """.formatted(other.url()));

            var ran = run("install", "--project", project.toString());

            assertThat(ran.status()).as(ran.err()).isZero();
            assertThat(project.resolve(".claude/skills/a/SKILL.md")).hasBinaryContent(SKILL);
            assertThat(other.requests("/"))
                    .isNotEmpty()
                    .noneMatch(request -> request.headers().containsKey("Authorization"));
            assertThat(registry.requests("/")).isEmpty();
        }
    }

    @Test
    void aKeyGoesToTheRegistryThatIsMeant() throws IOException {
        environment.put("SHEAF_API_KEY", TinyRegistry.KEY);
        registry.requireKey();
        registry.content.publish("acme/kit:1.0.0", Map.of("skills/a/SKILL.md", SKILL));
        Path project = Files.createDirectories(folder.resolve("project"));

        var ran = run("add", "acme/kit:1.0.0", "-a", "claude-code", "--project", project.toString());

        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(project.resolve(".claude/skills/a/SKILL.md")).hasBinaryContent(SKILL);
    }

    @Test
    void whereNobodySaysWhichItIsTheProjectsOwn() throws IOException {
        registry.content.publish("acme/kit:1.0.0", Map.of("skills/a/SKILL.md", SKILL));
        registry.content.publish("acme/more:1.0.0", Map.of("skills/b/SKILL.md", SKILL));
        Path project = Files.createDirectories(folder.resolve("project"));
        run("add", "acme/kit:1.0.0", "-a", "claude-code", "--project", project.toString());
        environment.put("SHEAF_URL", "");

        var ran = run("add", "acme/more:1.0.0", "-a", "claude-code", "--project", project.toString());

        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(project.resolve(".claude/skills/b/SKILL.md")).hasBinaryContent(SKILL);
    }

    @Test
    void whatAFileSaysTwiceOrWrongIsRefusedWithItsPlace() throws IOException {
        Path project = Files.createDirectories(folder.resolve("project"));
        String entry =
                "{\"range\": \"1\", \"agents\": [\"claude-code\"], \"mode\": \"copy\", \"registry\": \"http://a\"}";
        for (String[] wrong : new String[][] {
            {"\"a/b\": " + entry + ", \"a/b\": " + entry, "Duplicate"},
            {"\"a/b\": " + entry.replace("copy", "move"), "copy or link"},
            {"\"a/b\": " + entry.replace("claude-code", "vim"), "not a known program"},
            {"\"a/b\": " + entry.replace("range", "ranje"), "\"ranje\""},
            {"\"a/b\": " + entry + ",", "line "},
            {"\"../b\": " + entry, "sheaf-install.json"},
        }) {
            Files.writeString(
                    project.resolve("sheaf-install.json"), "{\"version\": 1,\n\"bundles\": {" + wrong[0] + "}}");

            var ran = run("install", "--project", project.toString());

            assertThat(ran.status()).as(wrong[0]).isEqualTo(1);
            assertThat(ran.err()).contains("sheaf-install.json cannot be used").contains(wrong[1]);
        }
    }
}
