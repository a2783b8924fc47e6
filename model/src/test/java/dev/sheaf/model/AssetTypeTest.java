package dev.sheaf.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AssetTypeTest {
    @ParameterizedTest
    @CsvSource({
        "skill, skill",
        "agent_spec, agent_spec",
        "agent, agent_spec",
        "agent_definition, agent_spec",
        "toolset, toolset",
        "tool, toolset",
        "tool_config, toolset",
        "prompt, prompt",
        "config, config",
        "plugin, plugin",
        "mcp, mcp",
        "other, other"
    })
    void readsEveryWordOfTheContract(String word, String type) {
        assertThat(AssetType.ofInput(word)).hasToString(type);
        assertThat(AssetType.isKnown(word)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"hook", "SKILL", "''", "'skill '"})
    void readsOtherWordsAsOtherAndSaysThatItDoesNotKnowThem(String word) {
        assertThat(AssetType.ofInput(word)).isEqualTo(AssetType.OTHER);
        assertThat(AssetType.isKnown(word)).isFalse();
    }

    @Test
    void readsItsOwnNamesBack() {
        assertThat(AssetType.values())
                .allSatisfy(
                        type -> assertThat(AssetType.ofInput(type.toString())).isEqualTo(type));
    }

    @ParameterizedTest
    @CsvSource({
        "SKILL.md, skill",
        "config/x/skill.MD, skill",
        "a/debian.agent.md, agent_spec",
        "skills/a.agent.md, agent_spec",
        "x.prompt.md, prompt",
        "skills/a/scripts/run.sh, skill",
        "agents/a.md, agent_spec",
        "tools/config/a.json, toolset",
        "prompts/a.md, prompt",
        "configs/a.yaml, config",
        "plugin.json, plugin",
        "skills/a/plugin.json, skill",
        "docs/plugin.json, other",
        "mcp.json, mcp",
        ".mcp.json, mcp",
        "README.md, other",
        "skills, other",
        "docs/agent.md, other"
    })
    void guessesFromThePath(String path, String type) {
        assertThat(AssetType.infer(LogicalPath.parse(path))).hasToString(type);
    }
}
