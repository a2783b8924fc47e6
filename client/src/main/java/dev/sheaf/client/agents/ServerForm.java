package dev.sheaf.client.agents;

import java.util.Locale;

/// The form of an MCP server's entry in a program's configuration.
public enum ServerForm {
    /// The form in the `.mcp.json` of Claude Code.
    PLAIN,
    /// Like [#PLAIN], but with `${env:NAME}` for environment variables.
    ENV,
    /// The form in the `opencode.json` of OpenCode 1: the command and its arguments are one list.
    OPENCODE;

    /// Returns the word in `agents.yaml` and in the lock.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
