package dev.sheaf.model.skill;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which files of a skill are content, and which a program may load by itself. Installations of disguised files are in
/// the client's tests.
class AutomaticFilesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SKILL.md",
                "LICENSE",
                "LICENSE.txt",
                "README.md",
                "run.py",
                "scripts/run.sh",
                "scripts/package.json",
                "references/api.yaml",
                "assets/theme.json",
                "assets/logo.png",
                "examples/a/b/config.toml",
                "evals/evals.json",
                "themes/arctic.md",
                "agents/reviewer.md",
                "core/hook.py",
                "canvas-fonts/Inter.ttf",
                ".gitignore",
                "scripts/.gitkeep",
                "templates/report.docx",
                "ooxml/schemas/wml.xsd"
            })
    void contentIsTaken(String inside) {
        assertThat(AutomaticFiles.why(inside)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "config.json",
                "agents/openai.yaml",
                "other/manifest.toml",
                "\u2024claude-plugin/plugin.json",
                ".cl\u200Baude-plugin/plugin.json",
                "hooks./hooks.json",
                "\uFF28ooks/x",
                ".claude-plugin::$DATA/x",
                "assets/x/.gitignore/y",
                "a.zip.",
                "a.ZIP ",
                "assets/CLAUDE~1/x"
            })
    void theRestIsNot(String inside) {
        assertThat(AutomaticFiles.why(inside)).isPresent();
    }

    @Test
    void archivesAreKnownByTheirContent() {
        byte[] zip = "PK\3\4rest".getBytes(StandardCharsets.ISO_8859_1);
        byte[] tar = new byte[512];
        System.arraycopy("ustar".getBytes(StandardCharsets.ISO_8859_1), 0, tar, 257, 5);
        assertThat(AutomaticFiles.isArchive("assets/a.png", zip)).isTrue();
        assertThat(AutomaticFiles.isArchive("assets/a.txt", tar)).isTrue();
        assertThat(AutomaticFiles.isArchive("assets/a.docx", zip)).isFalse();
        assertThat(AutomaticFiles.isArchive("assets/a.txt", "PK is a text".getBytes(StandardCharsets.UTF_8)))
                .isFalse();
        assertThat(AutomaticFiles.isArchive("assets/a.txt", new byte[0])).isFalse();
    }
}
