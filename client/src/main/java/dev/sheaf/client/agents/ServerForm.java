package dev.sheaf.client.agents;

import java.util.Locale;

/// The form of an MCP server's entry in a program's configuration.
public enum ServerForm {
    /// As in the `.mcp.json` of Claude Code.
    PLAIN,
    /// As [#PLAIN], but with `${env:NAME}` for environment variables.
    ENV,
    /// As in the `opencode.json` of OpenCode 1: a list holds the command and its arguments.
    OPENCODE;

    /// Returns the word in `agents.yaml` and in the lock.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
