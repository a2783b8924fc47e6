package dev.sheaf.client.agents;

import java.util.Locale;

/// How a program wants the entry of an MCP server.
public enum ServerForm {
    /// As in the `.mcp.json` of Claude Code.
    PLAIN,
    /// The same, but a variable of the environment is `${env:NAME}`.
    ENV,
    /// As in the `opencode.json` of OpenCode 1: the command with its arguments is one list.
    OPENCODE;

    /// The word of `agents.yaml`, and of the lock.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
