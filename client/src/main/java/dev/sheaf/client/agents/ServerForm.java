package dev.sheaf.client.agents;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// The form of an MCP server's entry in a program's configuration.
public enum ServerForm {
    /// The form in the `.mcp.json` of Claude Code. Programs with it replace `${NAME}`; Gemini CLI also `$NAME`, `\$`,
    /// and before them `%NAME%` on Windows, with any letters and digits. An encoded byte of an address, such as
    /// in `%C3%A9`, is not taken for a name here.
    PLAIN("\\\\?\\$[A-Za-z0-9_{%][^}$\\s]{0,40}|\\\\\\$|%(?![0-9A-Fa-f]{2}%)(?![0-9][0-9A-Fa-f])\\w+%"),
    /// Like [#PLAIN], but with `${env:NAME}` for environment variables.
    ENV("\\$\\{[^}$\\s]{0,40}"),
    /// The form in the `opencode.json` of OpenCode 1: the command and its arguments are one list.
    OPENCODE("\\{(?:env|file):[^}\\s]{0,40}");

    private final Pattern replaced;

    ServerForm(String replaced) {
        this.replaced = Pattern.compile(replaced);
    }

    /// Returns the beginning of the first part of a value that a program with this form may replace by something else,
    /// such as `${HOME`; empty if it takes the value as it is.
    public Optional<String> replaced(String value) {
        var found = replaced.matcher(value);
        return found.find() ? Optional.of(found.group()) : Optional.empty();
    }

    /// Returns the word in `agents.yaml` and in the lock.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
