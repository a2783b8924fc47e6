package dev.sheaf.client.agents;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The kinds of content that agent programs read.
public enum ContentKind {
    /// A folder with a SKILL.md.
    SKILL,
    AGENT,
    COMMAND,
    PROMPT,
    RULE,
    /// An MCP server that programs start or connect to: an entry in their configuration.
    MCP,
    /// A folder with all files of a bundle that is a plugin.
    PLUGIN;

    /// Returns the word in `agents.yaml` and in names such as `agents/reviewer`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT) + (this == MCP ? "" : "s");
    }

    /// Returns the kind with this word; empty if there is none.
    public static Optional<ContentKind> find(String word) {
        return Arrays.stream(values())
                .filter(kind -> kind.toString().equals(word))
                .findFirst();
    }
}
