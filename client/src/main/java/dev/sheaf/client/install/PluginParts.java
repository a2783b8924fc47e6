package dev.sheaf.client.install;

import dev.sheaf.client.agents.ContentKind;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.api.Asset;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.plugin.McpFile;
import dev.sheaf.model.plugin.PluginManifest;
import dev.sheaf.model.plugin.PluginServer;
import dev.sheaf.model.skill.SkillNote;
import dev.sheaf.model.text.Quoted;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// What a plugin (Agent Plugins 1.0) adds to the things of its bundle: a folder with all of its files, and the servers
/// of its `mcp.json`. Programs take more for variables than the specification knows, so a value that a program would
/// change is not written for it.
///
/// @param folder its folder; null if the bundle is no plugin
/// @param servers the servers of its `mcp.json`
/// @param named the names in its `mcp.json`; `.mcp.json` is not read for them
/// @param local the servers that need its folder
record PluginParts(@Nullable BundlePart folder, McpServers servers, Set<String> named, Set<ThingName> local) {
    static final PluginParts NONE = new PluginParts(null, McpServers.NONE, Set.of(), Set.of());

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{PLUGIN_(ROOT|DATA)}");
    private static final String ROOT = "PLUGIN_ROOT";
    private static final String DATA = "PLUGIN_DATA";
    private static final Pattern COMMAND = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._+-]*");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /// Returns whether this thing is only installed with consent, and left out without it.
    boolean has(ThingName name) {
        return folder != null && folder.name().equals(name) || servers.things().containsKey(name);
    }

    static PluginParts without(String why) {
        return new PluginParts(null, McpServers.without(why), Set.of(), Set.of());
    }

    /// @param manifest the content of its `plugin.json`, untrusted
    /// @param mcp the content of its `mcp.json`, untrusted; null if there is none
    static PluginParts of(PluginFolder folder, byte[] manifest, byte @Nullable [] mcp, Collection<Asset> files) {
        if (PluginManifest.read(manifest).isEmpty()) {
            return without(PluginManifest.PATH
                    + " is left out: programs for Agent Plugins 1.0 refuse it, and sheaf lint says why");
        }
        var inside = new TreeMap<String, BundlePart.Piece>();
        files.forEach(file -> inside.put(file.path().value(), BundlePart.Piece.of(file)));
        var found = mcp == null ? new McpFile(List.of(), List.of()) : McpFile.read(mcp);
        var collected = new McpServers.Collected(McpFile.PATH.value());
        found.notes().stream()
                .filter(note -> note.level() == SkillNote.Level.ERROR)
                .forEach(note -> collected.leaveOut(note.path() + ": " + note.message()));
        var named = new HashSet<String>();
        var local = new TreeSet<ThingName>();
        for (var server : found.servers()) {
            named.add(server.name());
            try {
                var name = new ThingName(ContentKind.MCP, server.name());
                var entry = entry(server, folder, inside.keySet());
                collected.add(name, entry, true);
                if (folder.isNamed() && server instanceof PluginServer.Stdio) {
                    local.add(name);
                }
            } catch (ProblemException | IllegalArgumentException e) {
                collected.leaveOut(server.name(), e.getMessage());
            }
        }
        return new PluginParts(
                new BundlePart(folder.name(), inside),
                collected.servers(),
                Collections.unmodifiableSet(named),
                Collections.unmodifiableSet(local));
    }

    private static ObjectNode entry(PluginServer server, PluginFolder folder, Set<String> files) {
        return switch (server) {
            case PluginServer.Stdio program -> program(program, folder, files);
            case PluginServer.Remote remote -> {
                var entry = WireJson.object().put("type", remote.isSse() ? "sse" : "http");
                entry.put("url", remote.url());
                put(entry, "headers", remote.headers());
                yield entry;
            }
        };
    }

    private static ObjectNode program(PluginServer.Stdio program, PluginFolder folder, Set<String> files) {
        if (!folder.isNamed() && usesFolder(program)) {
            throw new IllegalArgumentException("it needs the folder of the plugin, whose path is another one on each"
                    + " machine; to install it for all your projects: --user");
        }
        var env = new TreeMap<String, String>();
        program.env().forEach((name, value) -> {
            if (!VARIABLE.matcher(name).matches() || name.equalsIgnoreCase(ROOT) || name.equalsIgnoreCase(DATA)) {
                throw new IllegalArgumentException("its env has " + Quoted.of(name)
                        + ", which is not a name of a variable, or one that programs set themselves");
            }
            env.put(name, expanded(value, folder));
        });
        var entry = WireJson.object().put("command", command(program, folder, files));
        if (!program.args().isEmpty()) {
            var args = entry.putArray("args");
            program.args().forEach(arg -> args.add(expanded(arg, folder)));
        }
        if (folder.isNamed()) {
            env.put(ROOT, folder.files());
            env.put(DATA, folder.data());
        }
        put(entry, "env", env);
        if (folder.isNamed()) {
            entry.put("cwd", cwd(program.folder(), folder, files));
        }
        return entry;
    }

    private static boolean usesFolder(PluginServer.Stdio program) {
        return program.file().isPresent()
                || program.cwd() != null
                || program.args().stream().anyMatch(PluginParts::hasPlaceholder)
                || program.env().values().stream().anyMatch(PluginParts::hasPlaceholder);
    }

    private static boolean hasPlaceholder(String value) {
        return PLACEHOLDER.matcher(value).find();
    }

    /// Replaces the placeholders once, and not in what replaces them (section 9.2).
    private static String expanded(String value, PluginFolder folder) {
        if (value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a value contains the character U+0000, which no program can be given");
        }
        return folder.isNamed()
                ? PLACEHOLDER
                        .matcher(value)
                        .replaceAll(found -> Matcher.quoteReplacement(
                                found.group(1).equals("ROOT") ? folder.files() : folder.data()))
                : value;
    }

    private static String command(PluginServer.Stdio program, PluginFolder folder, Set<String> files) {
        var file = program.file();
        if (file.isPresent() && !files.contains(file.get())) {
            throw new IllegalArgumentException("the plugin has no file " + Quoted.of(file.get()));
        }
        if (file.isEmpty() && !COMMAND.matcher(program.command()).matches()) {
            throw new IllegalArgumentException("its command " + Quoted.of(program.command())
                    + " has other characters than letters, digits, and . _ + -");
        }
        return file.map(path -> Path.of(folder.files()).resolve(path).toString())
                .orElse(program.command());
    }

    private static String cwd(PluginServer.Folder stated, PluginFolder folder, Set<String> files) {
        if (hasPlaceholder(stated.path())) {
            throw new IllegalArgumentException("its cwd has a placeholder that is not at the beginning");
        }
        if (!stated.isData()
                && !stated.path().isEmpty()
                && files.stream().noneMatch(file -> file.startsWith(stated.path() + "/"))) {
            throw new IllegalArgumentException(
                    "its cwd " + Quoted.of(stated.path()) + " is not a folder of the plugin");
        }
        Path base = Path.of(stated.isData() ? folder.data() : folder.files());
        return (stated.path().isEmpty() ? base : base.resolve(stated.path())).toString();
    }

    private static void put(ObjectNode entry, String member, Map<String, String> values) {
        if (!values.isEmpty()) {
            var all = entry.putObject(member);
            values.forEach(all::put);
        }
    }
}
