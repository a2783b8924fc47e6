package dev.sheaf.model.plugin;

import dev.sheaf.model.text.Quoted;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads one entry of `mcp.json` (Agent Plugins 1.0, sections 7.2.1 and 9.2).
final class ServerReader {
    private static final Set<String> OF_STDIO = Set.of("type", "command", "args", "env", "cwd");
    private static final Set<String> OF_REMOTE = Set.of("type", "url", "headers");
    private static final Set<String> RESERVED = Set.of("PLUGIN_ROOT", "PLUGIN_DATA");
    private static final Set<String> CREDENTIALS = Set.of(
            "authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token", "private-token");
    private static final Pattern FIELD = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+"); // RFC 9110, section 5.6.2
    private static final Pattern FIELD_VALUE = Pattern.compile("[\\x20-\\x7E\\x80-\\xFF\\t]*");
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(?:\\.(?:0|[1-9][0-9]{0,2})){3}|\\[(?:::|(?:0:){7})1]");
    private static final Pattern ROOTED = Pattern.compile("\\$\\{PLUGIN_(ROOT|DATA)}(?:/(.*))?", Pattern.DOTALL);

    private final String name;
    private final String where;
    private final NoteList notes;
    private boolean isRefused;

    ServerReader(String name, NoteList notes) {
        this.name = name;
        this.where = "the server " + Quoted.of(name) + ": ";
        this.notes = notes;
    }

    /// Returns the server; null, with an error, if programs refuse the entry.
    @Nullable
    PluginServer read(JsonValue value) {
        if (!(value instanceof JsonValue.Members entry)) {
            refuse(value.line(), "write an object here");
            return null;
        }
        var own = new NoteList(McpFile.PATH);
        String stated = own.text(entry, where, "type");
        String type = stated == null ? "" : stated;
        var server = switch (type) {
            case "stdio" -> stdio(entry, own);
            case "streamable-http", "sse" -> remote(entry, own, type);
            default -> {
                refuse(line(entry, "type"), "type must be stdio, streamable-http or sse");
                yield null;
            }
        };
        own.all().forEach(note -> notes.error(note.line(), note.message()));
        return isRefused || own.hasErrors() ? null : server;
    }

    private void refuse(int line, String why) {
        isRefused = true;
        notes.error(line, where + why);
    }

    private static int line(JsonValue.Members entry, String member) {
        @Nullable JsonValue value = entry.values().get(member);
        return value == null ? entry.line() : value.line();
    }

    private void closed(JsonValue.Members entry, Set<String> known, String type) {
        entry.values().forEach((member, value) -> {
            if (!known.contains(member)) {
                refuse(value.line(), Quoted.of(member) + " is not a member of a server of type " + type);
            }
        });
    }

    private PluginServer stdio(JsonValue.Members entry, NoteList own) {
        closed(entry, OF_STDIO, "stdio");
        String command = own.text(entry, where, "command");
        if (!entry.values().containsKey("command")) {
            refuse(entry.line(), "\"command\" is missing");
        } else if (command != null) {
            command(line(entry, "command"), command);
        }
        var env = own.textMap(entry, where, "env");
        env.keySet().stream()
                .filter(RESERVED::contains)
                .forEach(variable -> refuse(line(entry, "env"), "env: programs set " + variable + " themselves"));
        String cwd = own.text(entry, where, "cwd");
        if (folder(cwd).isEmpty()) {
            refuse(
                    line(entry, "cwd"),
                    "cwd must begin with ./, ${PLUGIN_ROOT}/ or ${PLUGIN_DATA}/ and stay inside that folder");
        }
        return new PluginServer.Stdio(name, command == null ? "" : command, own.texts(entry, where, "args"), env, cwd);
    }

    private void command(int line, String command) {
        if (command.startsWith(McpFile.INSIDE)) {
            if (normalized(command.substring(McpFile.INSIDE.length()))
                    .orElse("")
                    .isEmpty()) {
                refuse(line, "command leaves the plugin, or names no file");
            }
        } else if (command.isBlank() || command.matches("(?s).*[/\\\\\\s].*") || command.startsWith(".")) {
            refuse(
                    line,
                    "command must be the name of a program, or a path in the plugin that begins with ./; arguments belong"
                            + " to args");
        }
    }

    /// Returns the working directory that an entry states; empty if it is outside of the plugin and of its data.
    ///
    /// @param cwd null for the root of the plugin
    static Optional<PluginServer.Folder> folder(@Nullable String cwd) {
        if (cwd == null) {
            return Optional.of(new PluginServer.Folder(false, ""));
        }
        if (cwd.startsWith(McpFile.INSIDE)) {
            return normalized(cwd.substring(McpFile.INSIDE.length())).map(path -> new PluginServer.Folder(false, path));
        }
        var rooted = ROOTED.matcher(cwd);
        return rooted.matches()
                ? normalized(Objects.requireNonNullElse(rooted.group(2), ""))
                        .map(path -> new PluginServer.Folder(rooted.group(1).equals("DATA"), path))
                : Optional.empty();
    }

    /// Returns a path below a folder without `.` and `..`; empty if it leads out of the folder, on any system.
    static Optional<String> normalized(String path) {
        if (path.startsWith("/") || path.indexOf('\\') >= 0 || path.indexOf('\0') >= 0 || path.indexOf(':') >= 0) {
            return Optional.empty();
        }
        var segments = new ArrayDeque<String>();
        for (String segment : path.split("/", -1)) {
            if (segment.equals("..")) {
                if (segments.pollLast() == null) {
                    return Optional.empty();
                }
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                segments.addLast(segment);
            }
        }
        return Optional.of(String.join("/", segments));
    }

    private PluginServer remote(JsonValue.Members entry, NoteList own, String type) {
        closed(entry, OF_REMOTE, type);
        String url = own.text(entry, where, "url");
        if (!entry.values().containsKey("url")) {
            refuse(entry.line(), "\"url\" is missing");
        } else if (url != null) {
            String wrong = wrongUrl(url);
            if (wrong != null) {
                refuse(line(entry, "url"), wrong);
            }
        }
        var headers = own.textMap(entry, where, "headers");
        headers(line(entry, "headers"), headers);
        return new PluginServer.Remote(name, type.equals("sse"), url == null ? "" : url, headers);
    }

    private static @Nullable String wrongUrl(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            return "url is not a valid address";
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !scheme.equals("http") || uri.getHost() == null) {
            return "url must be an absolute address that begins with https://";
        }
        if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            return "url must have neither a user nor a fragment";
        }
        return scheme.equals("http") && !LOOPBACK.matcher(uri.getHost()).matches()
                ? "url must begin with https://, except for localhost"
                : null;
    }

    private void headers(int line, Map<String, String> headers) {
        var seen = new HashSet<String>();
        headers.forEach((field, value) -> {
            String lower = field.toLowerCase(Locale.ROOT);
            if (!FIELD.matcher(field).matches() || !FIELD_VALUE.matcher(value).matches()) {
                refuse(line, "headers: " + Quoted.of(field) + " is not a valid header of HTTP");
            } else if (!seen.add(lower)) {
                refuse(line, "headers: " + Quoted.of(field) + " appears twice");
            } else if (CREDENTIALS.contains(lower)) {
                notes.warning(
                        line,
                        where + "headers: " + field
                                + " is for a credential, and everyone who can read the plugin can read"
                                + " it; programs ask their user for one");
            }
        });
    }
}
