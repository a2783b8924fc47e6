package dev.sheaf.model.plugin;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.skill.SkillNote;
import dev.sheaf.model.text.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The MCP servers of a plugin: `mcp.json` at its root (Agent Plugins 1.0, section 7.2).
///
/// @param servers those that programs accept, in the order of the file
/// @param notes what programs refuse, and what should not be there
public record McpFile(List<PluginServer> servers, List<SkillNote> notes) {
    /// Its path in a plugin.
    public static final LogicalPath PATH = new LogicalPath("mcp.json");

    /// The value of its member `$schema`.
    public static final String SCHEMA = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json";

    /// The limit of the file in bytes.
    public static final int MAX_BYTES = 256 << 10;

    /// The beginning of a path in the plugin.
    static final String INSIDE = "./";

    private static final int MAX_SERVERS = 100;
    private static final Set<String> MEMBERS = Set.of("$schema", "mcpServers");

    public McpFile {
        servers = List.copyOf(servers);
        notes = List.copyOf(notes);
    }

    /// Reads the file. If it cannot be used as a whole, it has no servers.
    public static McpFile read(byte[] json) {
        var notes = new NoteList(PATH);
        var servers = new ArrayList<PluginServer>();
        try {
            entries(JsonReader.read(json, MAX_BYTES), notes).forEach((name, entry) -> {
                var server = new ServerReader(name, notes).read(entry);
                if (server != null) {
                    servers.add(server);
                }
            });
        } catch (JsonReader.Wrong e) {
            notes.error(e.line(), e.getMessage());
        }
        return new McpFile(servers, notes.all());
    }

    private static Map<String, JsonValue> entries(JsonValue value, NoteList notes) {
        if (!(value instanceof JsonValue.Members members)) {
            notes.error(value.line(), "write an object here");
            return Map.of();
        }
        String schema = notes.text(members, "", "$schema");
        if (!SCHEMA.equals(schema)) {
            notes.error(line(members, "$schema"), "$schema: write \"" + SCHEMA + "\", or programs ignore all servers");
        }
        members.values().forEach((name, member) -> {
            if (!MEMBERS.contains(name)) {
                notes.error(
                        member.line(),
                        Quoted.of(name)
                                + " is not a member of mcp.json, so programs ignore all servers; only $schema and"
                                + " mcpServers are");
            }
        });
        var all = members.values().get("mcpServers");
        if (!(all instanceof JsonValue.Members(int line, Map<String, JsonValue> entries))) {
            notes.error(line(members, "mcpServers"), "mcpServers: write an object here, with a member for each server");
            return Map.of();
        }
        if (entries.size() > MAX_SERVERS) {
            notes.error(line, "mcpServers: " + entries.size() + " servers; at most " + MAX_SERVERS);
        }
        return notes.hasErrors() ? Map.of() : entries;
    }

    private static int line(JsonValue.Members members, String name) {
        @Nullable JsonValue value = members.values().get(name);
        return value == null ? members.line() : value.line();
    }
}
