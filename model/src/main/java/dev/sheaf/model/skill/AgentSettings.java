package dev.sheaf.model.skill;

import dev.sheaf.model.PathRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads what a settings file of an agent program starts: hooks, MCP servers and language servers. Which files those
/// are is decided by their names, at any depth, as programs do.
public final class AgentSettings {
    /// The largest size of a file that is read, in characters.
    public static final int LONGEST = 256 << 10;

    private static final Set<String> NAMES = Set.of(
            "hooks.json",
            "plugin.json",
            ".mcp.json",
            "mcp.json",
            "mcp_config.json",
            "mcp-config.json",
            "cline_mcp_settings.json",
            "claude_desktop_config.json",
            ".lsp.json",
            "lsp.json",
            "settings.json",
            "settings.local.json",
            "gemini-extension.json",
            "qwen-extension.json",
            "opencode.json");

    /// Files whose top level may be the servers themselves.
    private static final Set<String> OF_SERVERS = Set.of(".mcp.json", "mcp.json");

    private static final Set<String> MCP = Set.of("mcpservers", "servers", "mcp");
    private static final Set<String> LSP = Set.of("lspservers");
    private static final Set<String> COMMANDS = Set.of("command", "bash", "powershell", "url");
    private static final int LONGEST_WORDS = 160;
    private static final int MOST = 2_000;

    private AgentSettings() {}

    /// The kind of a thing that is started.
    public enum Kind {
        HOOK,
        MCP_SERVER,
        LSP_SERVER
    }

    /// A thing that a program starts.
    ///
    /// @param name the name of the server, or the event of the hook
    /// @param words its command or address
    /// @param line its line in the file, from 1
    public record Started(Kind kind, String name, String words, int line) {}

    /// Returns whether programs look for settings under this name.
    public static boolean isRead(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        return NAMES.contains(PathRules.plain(name))
                || path.toLowerCase(Locale.ROOT).endsWith(".json")
                        && folder(path).equals("hooks");
    }

    private static String folder(String path) {
        String[] segments = path.split("/", -1);
        return segments.length < 2 ? "" : PathRules.plain(segments[segments.length - 2]);
    }

    /// Returns what a file starts; empty if it cannot be read, so that only programs know.
    public static Optional<List<Started>> of(String path, String text) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        SkillValue value;
        try {
            value = SkillYaml.read(text.replace('\t', ' '), 0); // JSON is YAML, except for tabs
        } catch (SkillText.Wrong e) {
            return Optional.empty();
        }
        if (hasComments(value)) {
            return Optional.empty();
        }
        var found = new ArrayList<Started>();
        if (value instanceof SkillValue.Members members) {
            members.values().forEach((name, member) -> add(name.toLowerCase(Locale.ROOT), member, found));
            if (found.isEmpty() && OF_SERVERS.contains(PathRules.plain(path.substring(path.lastIndexOf('/') + 1)))) {
                servers(Kind.MCP_SERVER, members, found);
            }
        }
        return found.size() > MOST ? Optional.empty() : Optional.of(List.copyOf(found));
    }

    /// Returns whether a comment of JSON with comments became a part of a name, so that programs read other names.
    private static boolean hasComments(SkillValue value) {
        return switch (value) {
            case SkillValue.Text text -> false;
            case SkillValue.Items items -> items.values().stream().anyMatch(AgentSettings::hasComments);
            case SkillValue.Members members ->
                members.values().entrySet().stream()
                        .anyMatch(member -> member.getKey().contains("\"")
                                        && (member.getKey().contains("//")
                                                || member.getKey().contains("/*"))
                                || hasComments(member.getValue()));
        };
    }

    private static void add(String name, SkillValue value, List<Started> found) {
        if (MCP.contains(name)) {
            servers(Kind.MCP_SERVER, value, found);
        } else if (LSP.contains(name)) {
            servers(Kind.LSP_SERVER, value, found);
        } else if (name.equals("hooks") && value instanceof SkillValue.Members events) {
            events.values().forEach((event, hooks) -> hooks(event, hooks, found));
        }
    }

    private static void servers(Kind kind, SkillValue value, List<Started> found) {
        if (value instanceof SkillValue.Members servers) {
            servers.values().forEach((name, server) -> {
                String words = words(server);
                if (!words.isEmpty()) {
                    found.add(new Started(kind, name, words, server.line()));
                }
            });
        }
    }

    /// Adds each command below an event of hooks, at any depth, since programs differ.
    private static void hooks(String event, SkillValue value, List<Started> found) {
        switch (value) {
            case SkillValue.Text text -> {}
            case SkillValue.Items items -> items.values().forEach(item -> hooks(event, item, found));
            case SkillValue.Members members -> {
                String words = words(members);
                if (!words.isEmpty()) {
                    found.add(new Started(Kind.HOOK, event, words, line(members)));
                }
                members.values().values().forEach(member -> hooks(event, member, found));
            }
        }
    }

    private static int line(SkillValue.Members members) {
        return members.values().entrySet().stream()
                .filter(member -> COMMANDS.contains(member.getKey().toLowerCase(Locale.ROOT)))
                .findFirst()
                .map(member -> member.getValue().line())
                .orElse(members.line());
    }

    /// Returns the command with its arguments, or the address; empty if there is neither.
    private static String words(SkillValue value) {
        if (!(value instanceof SkillValue.Members members)) {
            return "";
        }
        var words = new ArrayList<String>();
        for (Map.Entry<String, SkillValue> member : members.values().entrySet()) {
            if (COMMANDS.contains(member.getKey().toLowerCase(Locale.ROOT))) {
                collect(member.getValue(), words);
            }
        }
        if (!words.isEmpty()) {
            collect(members.values().get("args"), words);
        }
        String text = String.join(" ", words).strip();
        return text.length() > LONGEST_WORDS ? text.substring(0, LONGEST_WORDS) + "…" : text;
    }

    private static void collect(@Nullable SkillValue value, List<String> words) {
        switch (value) {
            case SkillValue.Text text -> words.add(text.value());
            case SkillValue.Items items -> items.values().forEach(item -> collect(item, words));
            case null, default -> {}
        }
    }
}
