package dev.sheaf.client.agents;

import dev.sheaf.client.io.YamlNode;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.PathRules;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.skill.SkillFolders;
import dev.sheaf.model.text.Quoted;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// The known agent programs, from `agents.yaml`. Files are only written to places that these programs read.
public final class Agents {
    private static final List<String> USUAL = List.of("agents", "claude-code");

    private static final class Known {
        static final Map<String, Agent> ALL = read();
    }

    private Agents() {}

    private static Map<String, Agent> read() {
        try (InputStream in = Objects.requireNonNull(Agents.class.getResourceAsStream("agents.yaml"))) {
            var agents = new LinkedHashMap<String, Agent>();
            YamlNode.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .members()
                    .forEach((id, node) -> agents.put(
                            id,
                            new Agent(
                                    id,
                                    node.member("name").text(),
                                    texts(node.member("found")),
                                    places(node.member("project")),
                                    places(node.member("user")),
                                    form(node),
                                    node.members().containsKey("combined")
                                            ? texts(node.member("combined"))
                                            : List.of())));
            return Map.copyOf(agents);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> texts(YamlNode node) {
        return node.items().stream().map(YamlNode::text).toList();
    }

    private static Map<ContentKind, String> places(YamlNode node) {
        var places = new EnumMap<ContentKind, String>(ContentKind.class);
        node.members()
                .forEach((word, place) -> ContentKind.find(word).ifPresent(kind -> places.put(kind, place.text())));
        return places;
    }

    private static ServerForm form(YamlNode node) {
        var word = node.members().get("form");
        return word == null ? ServerForm.PLAIN : ServerForm.valueOf(word.text().toUpperCase(Locale.ROOT));
    }

    /// Returns all agents, ordered by id.
    public static List<Agent> all() {
        return Known.ALL.values().stream()
                .sorted(Comparator.comparing(Agent::id))
                .toList();
    }

    /// Returns an agent by its id.
    ///
    /// @throws ProblemException validation-failed for an unknown id; the message lists the known ids
    public static Agent named(String id) {
        var agent = Known.ALL.get(id);
        if (agent == null) {
            throw Problem.invalid(
                    "unknown",
                    Quoted.of(id) + " is not a known program; known programs are "
                            + String.join(", ", new TreeSet<>(Known.ALL.keySet())));
        }
        return agent;
    }

    /// Returns the ids of the agents to use for a project without traces of any agent.
    public static SortedSet<String> usual() {
        return new TreeSet<>(USUAL);
    }

    /// Returns the ids of the agents with traces in a folder.
    public static SortedSet<String> found(Path folder) {
        var found = new TreeSet<String>();
        for (var agent : Known.ALL.values()) {
            if (agent.found().stream()
                    .anyMatch(sign -> Files.exists(folder.resolve(sign), LinkOption.NOFOLLOW_LINKS))) {
                found.add(agent.id());
            }
        }
        return found;
    }

    /// Returns the places from which these agents read a thing; empty if they do not read it. A plugin has one place
    /// for
    /// all of them.
    public static SortedSet<String> places(Collection<String> agents, InstallLevel level, ThingName thing) {
        var places = new TreeSet<String>();
        if (thing.kind() == ContentKind.PLUGIN) {
            places.add(level.plugins() + thing.name());
        } else {
            agents.forEach(id -> named(id).place(level, thing).ifPresent(places::add));
        }
        return places;
    }

    /// Returns whether an agent reads this thing from this path.
    public static boolean isPlaceOf(ThingName thing, String path, InstallLevel level) {
        return places(Known.ALL.keySet(), level, thing).contains(path);
    }

    /// Returns whether a place is an entry in a file, such as `.mcp.json#mcpServers/github`, and not a file.
    public static boolean isEntry(String place) {
        return reader(place).isPresent();
    }

    /// Returns the form that the program expects for this entry.
    public static ServerForm form(String place) {
        return reader(place).map(Agent::form).orElse(ServerForm.PLAIN);
    }

    /// Returns the agents that combine this entry with entries of equal names in other files.
    public static List<Agent> combining(String place) {
        return reader(place).stream()
                .filter(agent -> !agent.combined().isEmpty())
                .toList();
    }

    private static String pattern(String place) {
        return place.substring(0, place.lastIndexOf('/') + 1) + "*";
    }

    private static Optional<Agent> reader(String place) {
        String pattern = pattern(place);
        return Known.ALL.values().stream()
                .filter(agent -> pattern.equals(agent.project().get(ContentKind.MCP))
                        || pattern.equals(agent.user().get(ContentKind.MCP)))
                .findFirst();
    }

    /// Returns whether a file may be written at this path, because an agent reads things there, or it belongs to a
    /// plugin.
    public static boolean isWithin(String path, InstallLevel level) {
        return isInPlugin(path, level.plugins())
                || Known.ALL.values().stream()
                        .flatMap(agent ->
                                (level == InstallLevel.USER ? agent.user() : agent.project()).entrySet().stream())
                        .anyMatch(place -> isWithin(path, place.getKey(), place.getValue()));
    }

    private static boolean isWithin(String path, ContentKind kind, String place) {
        if (kind == ContentKind.MCP) {
            return path.equals(place.substring(0, place.indexOf('#')));
        }
        int star = place.indexOf('*');
        String suffix = place.substring(star + 1);
        if (!path.startsWith(place.substring(0, star))) {
            return false;
        }
        String rest = path.substring(star);
        if (kind != ContentKind.SKILL) {
            return rest.endsWith(suffix) && SkillFolders.isName(rest.substring(0, rest.length() - suffix.length()));
        }
        int slash = rest.indexOf('/');
        return slash < 0
                ? SkillFolders.isName(rest)
                : SkillFolders.isName(rest.substring(0, slash)) && isPath(rest.substring(slash + 1));
    }

    /// Returns whether a path is below the folder of a namespace and of a bundle.
    private static boolean isInPlugin(String path, String plugins) {
        String[] rest =
                path.startsWith(plugins) ? path.substring(plugins.length()).split("/", 3) : new String[0];
        return rest.length == 3 && isPlugin(rest[0] + "/" + rest[1]) && isPath(rest[2]);
    }

    private static boolean isPlugin(String bundle) {
        try {
            RepositoryName.parse(bundle);
            return true;
        } catch (ProblemException e) {
            return false;
        }
    }

    private static boolean isPath(String inside) {
        try {
            return PathRules.of(new LogicalPath(inside)).isEmpty();
        } catch (ProblemException e) {
            return false;
        }
    }
}
