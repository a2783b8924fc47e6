package dev.sheaf.model;

import java.util.Locale;

/// The kind of an asset (contract 3.4). Stored and sent under the lower-case name.
public enum AssetType {
    SKILL,
    AGENT_SPEC,
    TOOLSET,
    PROMPT,
    CONFIG,
    OTHER;

    /// Returns the kind that a publisher's word means: `agent` and `agent_definition` mean agent_spec, `tool` and
    /// `tool_config` mean toolset, an unknown word means other (the caller keeps the original).
    public static AssetType ofInput(String word) {
        return switch (word) {
            case "skill" -> SKILL;
            case "agent_spec", "agent", "agent_definition" -> AGENT_SPEC;
            case "toolset", "tool", "tool_config" -> TOOLSET;
            case "prompt" -> PROMPT;
            case "config" -> CONFIG;
            default -> OTHER;
        };
    }

    /// Returns whether [#ofInput] knows the word. If not, the mapping loses it.
    public static boolean isKnown(String word) {
        return word.equals("other") || ofInput(word) != OTHER;
    }

    /// Guesses the kind from the path, for content that comes without kinds: the first folder that names a kind
    /// decides, else the file's extension.
    public static AssetType infer(LogicalPath path) {
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
