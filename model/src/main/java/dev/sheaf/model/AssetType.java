package dev.sheaf.model;

import java.util.Locale;

/// The kinds of asset (contract 3.4), stored and answered under their lower-case names.
public enum AssetType {
    SKILL,
    AGENT_SPEC,
    TOOLSET,
    PROMPT,
    CONFIG,
    OTHER;

    /// The kind that a publisher's word means: `agent` and `agent_definition` are agent_spec, `tool` and
    /// `tool_config` are toolset, an unknown word is other (the caller keeps the original).
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

    /// True where [#ofInput] knows the word, so that nothing is lost by the mapping.
    public static boolean isKnown(String word) {
        return word.equals("other") || ofInput(word) != OTHER;
    }

    /// A guess from the path, for content that comes without kinds: the first folder that names a kind, else the
    /// file's ending.
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
                    // an ordinary folder says nothing
                }
            }
        }
        return OTHER;
    }

    /// The wire name.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
