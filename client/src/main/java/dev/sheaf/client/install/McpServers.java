package dev.sheaf.client.install;

import dev.sheaf.client.agents.ContentKind;
import dev.sheaf.client.agents.ServerForm;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.text.Quoted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The MCP servers in a bundle's `.mcp.json`, or in the `mcp.json` of a plugin. Only the members that are needed to
/// start or reach a server are used. Other members, which some programs support, could run a command for a header or
/// approve tools in advance.
///
/// @param things the servers by name, with a digest for each form of the entry
/// @param entries the entries by digest
/// @param words what each server runs, or its address
/// @param replaced the parts of entries that programs with these forms would replace; there are no such entries
/// @param leftOut sentences about entries that are not used
record McpServers(
        SortedMap<ThingName, BundlePart> things,
        Map<Digest, JsonNode> entries,
        Map<BundlePart, String> words,
        Map<ThingName, Map<ServerForm, String>> replaced,
        List<String> leftOut) {
    static final String FILE = ".mcp.json";
    static final int LONGEST = 256 << 10;
    static final McpServers NONE =
            new McpServers(Collections.emptySortedMap(), Map.of(), Map.of(), Map.of(), List.of());

    /// The characters of a line that always shows what a server runs.
    static final int LINE = 100;

    private static final int MOST = 100;
    private static final int LONGEST_WORDS = 1_000;
    private static final Set<String> MEMBERS = Set.of("type", "command", "args", "env", "url", "headers");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

    /// @param json the content of the file, untrusted
    static McpServers of(byte[] json) {
        JsonNode servers;
        try {
            servers = WireJson.strict(json).path("mcpServers");
        } catch (IllegalArgumentException e) {
            return without(FILE + " is left out: " + e.getMessage());
        }
        if (!servers.isObject() || servers.size() > MOST) {
            return without(FILE + " is left out: \"mcpServers\" must be an object of at most " + MOST + " servers");
        }
        var collected = new Collected(FILE);
        servers.properties().forEach(server -> {
            try {
                var name = new ThingName(ContentKind.MCP, server.getKey());
                collected.add(name, plain(server.getValue()), false);
                var dropped = new TreeSet<>(server.getValue().propertyNames());
                dropped.removeAll(MEMBERS);
                if (!dropped.isEmpty()) {
                    collected.leaveOut(name + ": left out of its entry: "
                            + dropped.stream().map(Quoted::of).collect(Collectors.joining(", ")));
                }
            } catch (ProblemException | IllegalArgumentException e) {
                collected.leaveOut(server.getKey(), e.getMessage());
            }
        });
        return collected.servers();
    }

    static McpServers without(String why) {
        return new McpServers(NONE.things(), NONE.entries(), NONE.words(), NONE.replaced(), List.of(why));
    }

    /// Collects the servers of a file.
    static final class Collected {
        private final String file;
        private final SortedMap<ThingName, BundlePart> things = new TreeMap<>();
        private final Map<Digest, JsonNode> entries = new HashMap<>();
        private final Map<BundlePart, String> words = new HashMap<>();
        private final Map<ThingName, Map<ServerForm, String>> replaced = new HashMap<>();
        private final List<String> leftOut = new ArrayList<>();

        Collected(String file) {
            this.file = file;
        }

        /// Adds a server in each form that can have it.
        ///
        /// @param plain its entry in the form [ServerForm#PLAIN]
        /// @param literal whether its values mean themselves; otherwise `${NAME}` is an environment variable
        /// @throws IllegalArgumentException if no form can have it
        void add(ThingName name, ObjectNode plain, boolean literal) {
            var forms = new TreeMap<String, BundlePart.Piece>();
            var refused = new EnumMap<ServerForm, String>(ServerForm.class);
            for (var form : ServerForm.values()) {
                var own = form == ServerForm.OPENCODE ? openCode(plain) : plain;
                var part = literal || form != ServerForm.PLAIN ? part(own, form, !literal) : Optional.<String>empty();
                if (part.isPresent()) {
                    refused.put(form, part.get());
                    continue;
                }
                var entry = literal ? own : withVariables(own, form);
                var digest = WireJson.digest(entry);
                entries.put(digest, entry);
                forms.put(form.toString(), new BundlePart.Piece(digest, false));
            }
            if (forms.isEmpty()) {
                throw new IllegalArgumentException("every program would replace "
                        + Quoted.of(refused.values().iterator().next()) + " in its entry by something else");
            }
            var thing = new BundlePart(name, forms);
            things.put(name, thing);
            words.put(thing, McpServers.words(plain));
            if (!refused.isEmpty()) {
                replaced.put(name, refused);
            }
        }

        void leaveOut(String name, @Nullable String why) {
            leaveOut("the server " + Quoted.of(name) + " of " + file + " is left out: " + why);
        }

        void leaveOut(String sentence) {
            leftOut.add(sentence);
        }

        McpServers servers() {
            return new McpServers(things, entries, words, replaced, leftOut);
        }
    }

    /// Returns the first part of a name or value that a program would replace.
    ///
    /// @param isWithVariables whether `${NAME}` is meant as a variable. Only the text without it is looked at then,
    ///     because a variable that is not set may put a placeholder together
    private static Optional<String> part(JsonNode value, ServerForm form, boolean isWithVariables) {
        if (value.isObject()) {
            return value.properties().stream()
                    .flatMap(member -> Stream.concat(
                            form.replaced(member.getKey()).stream(),
                            part(member.getValue(), form, isWithVariables).stream()))
                    .findFirst();
        }
        if (value.isArray()) {
            return value.valueStream()
                    .flatMap(one -> part(one, form, isWithVariables).stream())
                    .findFirst();
        }
        String text = value.asString();
        return form.replaced(isWithVariables ? VARIABLE.matcher(text).replaceAll("") : text);
    }

    /// Returns a copy with the members that are used.
    ///
    /// @throws IllegalArgumentException if they do not describe a server
    private static ObjectNode plain(JsonNode entry) {
        if (entry.toString().contains("${CLAUDE_PLUGIN_")) {
            throw new IllegalArgumentException(
                    "it uses files of the plugin, which only Claude Code unpacks (claude plugin install)");
        }
        var plain = WireJson.object();
        String type = entry.path("type").asString("");
        if (entry.has("url")) {
            String url = text(entry, "url");
            if (!url.startsWith("https://") && !url.startsWith("http://") || entry.has("command")) {
                throw new IllegalArgumentException("its url is not http or https, or it also has a command");
            }
            plain.put("type", remote(type)).put("url", url);
            copy(entry, "headers", plain);
        } else if (type.isEmpty() || type.equals("stdio")) {
            plain.put("command", text(entry, "command"));
            if (entry.has("args")) {
                var list = plain.putArray("args");
                checked(entry.path("args"), entry.path("args").isArray())
                        .valueStream()
                        .forEach(one -> list.add(text(one)));
            }
            copy(entry, "env", plain);
        } else {
            throw new IllegalArgumentException("it has no url");
        }
        return plain;
    }

    private static String remote(String type) {
        return switch (type) {
            case "", "http", "streamable-http" -> "http";
            case "sse" -> "sse";
            default -> throw new IllegalArgumentException("its type must be stdio, http or sse");
        };
    }

    private static String text(JsonNode entry, String member) {
        if (!entry.has(member)) {
            throw new IllegalArgumentException("it has neither a command nor a url");
        }
        return text(entry.path(member));
    }

    private static String text(JsonNode value) {
        return checked(value, value.isString()).asString();
    }

    private static JsonNode checked(JsonNode value, boolean right) {
        if (!right) {
            throw new IllegalArgumentException(
                    "command and url must be strings, args a list of strings, env and headers objects of strings");
        }
        return value;
    }

    private static void copy(JsonNode entry, String member, ObjectNode plain) {
        if (entry.has(member)) {
            var map = plain.putObject(member);
            checked(entry.path(member), entry.path(member).isObject())
                    .properties()
                    .forEach(one -> map.put(one.getKey(), text(one.getValue())));
        }
    }

    /// Returns an entry as OpenCode 1 has it.
    private static ObjectNode openCode(ObjectNode plain) {
        var entry = WireJson.object();
        if (plain.has("url")) {
            entry.put("type", "remote").put("url", plain.path("url").asString());
            copy(plain, "headers", entry);
            return entry;
        }
        var command = entry.put("type", "local").putArray("command");
        command.add(plain.path("command").asString());
        plain.path("args").valueStream().forEach(one -> command.add(one.asString()));
        if (plain.has("env")) {
            entry.set("environment", plain.path("env"));
        }
        if (plain.has("cwd")) {
            entry.set("cwd", plain.path("cwd"));
        }
        return entry;
    }

    private static ObjectNode withVariables(ObjectNode entry, ServerForm form) {
        return switch (form) {
            case PLAIN -> entry;
            case ENV -> withVariables(entry, "\\${env:$1}");
            case OPENCODE -> withVariables(entry, "{env:$1}");
        };
    }

    private static ObjectNode withVariables(ObjectNode entry, String spelling) {
        var copy = WireJson.object();
        entry.properties().forEach(member -> {
            var value = member.getValue();
            if (value.isObject()) {
                copy.set(member.getKey(), withVariables((ObjectNode) value, spelling));
            } else if (value.isArray()) {
                var list = copy.putArray(member.getKey());
                value.valueStream().forEach(one -> list.add(spelled(one, spelling)));
            } else {
                copy.put(member.getKey(), spelled(value, spelling));
            }
        });
        return copy;
    }

    private static String spelled(JsonNode value, String spelling) {
        return VARIABLE.matcher(value.asString()).replaceAll(spelling);
    }

    /// Returns the command that a program would run with this entry, its folder and its variables, or the address
    /// to which it would connect. Variables stand before the command as in a shell, if all of it fits a line.
    /// Otherwise they stand behind it: long ones must not push out what is run.
    ///
    /// @param plain the entry in the form [ServerForm#PLAIN]
    static String words(JsonNode plain) {
        if (plain.has("url")) {
            var words = new StringJoiner(" ").add(plain.path("url").asString());
            plain.path("headers").properties().forEach(header -> words.add(header.getKey() + ": …"));
            return cut(words.toString());
        }
        var variables = new StringJoiner(" ");
        plain.path("env")
                .properties()
                .forEach(one -> variables.add(
                        one.getKey() + "=" + ShellWord.of(one.getValue().asString())));
        var command =
                new StringJoiner(" ").add(ShellWord.of(plain.path("command").asString()));
        plain.path("args").valueStream().forEach(one -> command.add(ShellWord.of(one.asString())));
        // never cut off: the same command is another program in another folder
        String folder = plain.has("cwd")
                ? ", in the folder " + ShellWord.of(plain.path("cwd").asString())
                : "";
        if (variables.length() == 0) {
            return cut(command.toString()) + folder;
        }
        return variables.length() + command.length() < LINE
                ? variables + " " + command + folder
                : cut(command.toString()) + folder + ", with " + cut(variables.toString());
    }

    private static String cut(String text) {
        return text.length() > LONGEST_WORDS ? text.substring(0, LONGEST_WORDS) + "…" : text;
    }
}
