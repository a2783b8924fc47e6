package dev.sheaf.client.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.api.SheafException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files of a skill that an agent program may load or run by itself, under many names: nothing of them is written
/// without consent, whatever the command.
@Tag("slow")
class DisguisesTest {
    private static final String PLAIN = "skills/a/SKILL.md ---\nname: a\ndescription: A.\n---\n";

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Claude Code
                ".claude-plugin/plugin.json",
                ".CLAUDE-PLUGIN/plugin.json",
                ".Claude-Plugin/Plugin.JSON",
                "assets/.claude-plugin/plugin.json",
                "references/deep/down/.claude-plugin/plugin.json",
                ".claude/settings.json",
                ".claude/agents/b.md",
                ".claude/skills/b/.claude-plugin/plugin.json",
                ".mcp.json",
                ".lsp.json",
                "hooks/hooks.json",
                "hooks/run.sh",
                "HOOKS/Hooks.json",
                "assets/hooks/hooks.json",
                "plugin.json",
                "scripts/plugin.json",
                "monitors/monitors.json",
                "CLAUDE.md",
                "references/Claude.md",
                "CLAUDE~1/plugin.json",
                ".cl\u200Baude-plugin/plugin.json",
                "\u2024claude-plugin/plugin.json",
                ".claude-plugin./plugin.json",
                ".claude-plugin /plugin.json",
                ".\uFF43laude-plugin/plugin.json",
                // Codex
                ".codex-plugin/plugin.json",
                ".codex/config.toml",
                ".codex/hooks.json",
                "agents/openai.yaml",
                "AGENTS.md",
                // GitHub Copilot and Visual Studio Code
                ".github/copilot-instructions.md",
                ".github/hooks/a.json",
                ".github/extensions/a/extension.mjs",
                ".github/copilot/settings.json",
                ".github/mcp.json",
                ".github/lsp.json",
                "mcp-config.json",
                "lsp.json",
                ".vscode/tasks.json",
                "copilot-instructions.md",
                "a.code-workspace",
                // Cursor
                ".cursor-plugin/plugin.json",
                ".cursor/mcp.json",
                ".cursor/hooks.json",
                ".cursorrules",
                "mcp.json",
                // Gemini CLI
                "gemini-extension.json",
                "Gemini-Extension.json",
                ".gemini/settings.json",
                "assets/GEMINI.md",
                // OpenCode
                "opencode.json",
                ".opencode/plugins/a.js",
                ".opencode/tools/a.js",
                // archives and links
                "assets/plugin.zip",
                "plugin.tar",
                "scripts/x.TGZ",
                "x.tar.gz",
                "a.mcpb",
                "b.skill",
                "assets/a.lnk",
                "a.url"
            })
    void needConsent(String inside, @TempDir Path folder) throws IOException {
        try (var workshop = new Workshop(folder)) {
            Path project = workshop.project("project");
            String[] clean = {PLAIN};
            String[] running = {PLAIN, "skills/a/" + inside.replace(" ", "\u00A0") + " {}"};
            workshop.publish("acme/kit:1.0.0", running);
            var before = Workshop.tree(project);

            refused(() -> workshop.add(project, "acme/kit:^1.0"), inside);
            assertThat(Workshop.tree(project)).isEqualTo(before);
            var wish = workshop.wish(project, "acme/kit:^1.0");
            Files.writeString(
                    project.resolve(WishFile.NAME), WishFile.of(List.of(wish)).text());
            refused(() -> workshop.in(project).install(InstallOptions.DEFAULT), inside);
            assertThat(Workshop.things(project)).isEqualTo(before);

            workshop.publish("acme/kit:1.0.1", clean);
            workshop.add(project, "acme/kit:^1.0");
            var installed = Workshop.tree(project);
            workshop.publish("acme/kit:1.1.0", running);
            refused(() -> workshop.in(project).update(Set.of(), InstallOptions.DEFAULT), inside);
            refused(() -> workshop.add(project, "acme/kit:^1.0"), inside);
            assertThat(Workshop.tree(project)).isEqualTo(installed);
        }
    }

    /// An archive that its name does not tell.
    @ParameterizedTest
    @ValueSource(strings = {"assets/logo.png", "scripts/data.txt", "LICENSE"})
    void archivesUnderOtherNamesNeedConsent(String inside, @TempDir Path folder) {
        try (var workshop = new Workshop(folder)) {
            Path project = workshop.project("project");
            workshop.publish("acme/kit:1.0.0", PLAIN, "skills/a/" + inside + " PK\u0003\u0004x");

            refused(() -> workshop.add(project, "acme/kit:^1.0"), inside);
        }
    }

    /// Either the consent is missing, or the path is refused altogether.
    private static void refused(Runnable command, String inside) {
        assertThatThrownBy(command::run).as(inside).satisfies(refusal -> {
            if (!(refusal instanceof SheafException.UnsafePaths)) {
                assertThat(refusal)
                        .isInstanceOf(SheafException.InvalidRequest.class)
                        .hasMessageContaining(inside)
                        .isInstanceOf(SheafException.NeedsConsent.class);
            }
        });
    }
}
