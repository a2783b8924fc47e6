package dev.sheaf.model;

import java.util.Locale;

/// The kind of an asset (contract 3.4). Stored and sent as its lower-case name.
public enum AssetType {
    SKILL,
    AGENT_SPEC,
    TOOLSET,
    PROMPT,
    CONFIG,
    /// The manifest of a plugin.
    PLUGIN,
    /// The MCP servers of a bundle.
    MCP,
    OTHER;

    /// Returns the kind for a publisher's word: `agent` and `agent_definition` mean agent_spec, `tool` and
    /// `tool_config` mean toolset, and an unknown word means other. The caller keeps an unknown word.
    public static AssetType ofInput(String word) {
        return switch (word) {
            case "skill" -> SKILL;
            case "agent_spec", "agent", "agent_definition" -> AGENT_SPEC;
            case "toolset", "tool", "tool_config" -> TOOLSET;
            case "prompt" -> PROMPT;
            case "config" -> CONFIG;
            case "plugin" -> PLUGIN;
            case "mcp" -> MCP;
            default -> OTHER;
        };
    }

    /// Returns whether [#ofInput] knows the word. An unknown word is lost there.
    public static boolean isKnown(String word) {
        return word.equals("other") || ofInput(word) != OTHER;
    }

    /// Guesses the kind of content that was sent without one: from the file name, else from the first folder
    /// that is named after a kind; otherwise other.
    public static AssetType infer(LogicalPath path) {
        switch (path.value()) {
            case "plugin.json" -> {
                return PLUGIN;
            }
            case "mcp.json", ".mcp.json" -> {
                return MCP;
            }
            default -> {
                // elsewhere these names say nothing
            }
        }
        String name = path.fileName().toLowerCase(Locale.ROOT);
        if (name.equals("skill.md")) {
            return SKILL;
        }
        if (name.endsWith(".agent.md")) {
            return AGENT_SPEC;
        }
        if (name.endsWith(".prompt.md")) {
            return PROMPT;
        }
        for (String folder : path.folders()) {
            switch (folder) {
                case "skills", "skill" -> {
                    return SKILL;
                }
                case "agents", "agent" -> {
                    return AGENT_SPEC;
                }
                case "tools", "toolsets" -> {
                    return TOOLSET;
                }
                case "prompts", "prompt" -> {
                    return PROMPT;
                }
                case "config", "configs" -> {
                    return CONFIG;
                }
                default -> {
                    // other folder names say nothing about the kind
                }
            }
        }
        return OTHER;
    }

    /// Returns the name on the wire.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
