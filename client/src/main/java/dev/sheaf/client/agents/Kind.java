package dev.sheaf.client.agents;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What programs for agents read from folders of their own.
public enum Kind {
    /// A folder with a SKILL.md.
    SKILL,
    AGENT,
    COMMAND,
    PROMPT,
    RULE,
    /// A server, which programs start or reach: an entry in their configuration.
    MCP;

    /// The word of `agents.yaml` and of names such as `agents/reviewer`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT) + (this == MCP ? "" : "s");
    }

    public static Optional<Kind> find(String word) {
        return Arrays.stream(values())
                .filter(kind -> kind.toString().equals(word))
                .findFirst();
    }
}
