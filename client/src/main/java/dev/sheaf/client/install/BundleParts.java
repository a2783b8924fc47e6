package dev.sheaf.client.install;

import dev.sheaf.client.agents.ContentKind;
import dev.sheaf.client.agents.ServerForm;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.RefusedPath;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.PathRules;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.plugin.McpFile;
import dev.sheaf.model.plugin.PluginManifest;
import dev.sheaf.model.skill.SkillFolders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The things in a bundle.
///
/// @param things the things by name
/// @param plugin those of the things that it has as a plugin
/// @param replaced the parts of servers' entries that programs with these forms would replace
/// @param leftOut sentences about files that look like a thing but cannot be used
/// @param others the paths of all other files
record BundleParts(
        SortedMap<ThingName, BundlePart> things,
        PluginParts plugin,
        Map<ThingName, Map<ServerForm, String>> replaced,
        List<String> leftOut,
        List<String> others) {
    private static final Set<String> DESCRIPTIONS = Set.of("sheaf.yaml", McpServers.FILE);
    private static final Set<String> OF_PLUGINS = Set.of(PluginManifest.PATH.value(), McpFile.PATH.value());
    private static final Pattern FILE = Pattern.compile(
            "(agents|commands|prompts|rules)/([^/]+?)" + "(?:\\.agent|\\.prompt|\\.instructions)?\\.md");

    static BundleParts of(RepositoryName bundle, List<Asset> files, McpServers servers, PluginParts plugin) {
        var found =
                SkillFolders.of(bundle.bundle().value(), files, new SkillFolders.Reading<>(Asset::path, Asset::size));
        var things = new TreeMap<ThingName, BundlePart>();
        var leftOut = new ArrayList<String>();
        var others = new TreeSet<String>();
        files.forEach(file -> others.add(file.path().value()));
        others.removeAll(DESCRIPTIONS);
        found.leftOut().forEach(left -> {
            leftOut.add(left.path() + ": this skill is left out: " + left.reason());
            String folder = left.path().value().replaceFirst("[^/]*$", "");
            others.removeIf(path -> !folder.isEmpty() && path.startsWith(folder)
                    || path.equals(left.path().value()));
        });
        for (var skill : found.skills()) {
            var inside = new TreeMap<String, BundlePart.Piece>();
            skill.files().forEach(file -> {
                inside.put(skill.inside(file.path()), BundlePart.Piece.of(file));
                others.remove(file.path().value());
            });
            checkPaths(bundle, inside);
            var name = new ThingName(ContentKind.SKILL, skill.name());
            things.put(name, new BundlePart(name, inside));
        }
        var replaced = new HashMap<ThingName, Map<ServerForm, String>>();
        servers.things().forEach((name, server) -> {
            if (!plugin.named().contains(name.name())) {
                things.put(name, server);
                replaced.put(name, servers.replaced().getOrDefault(name, Map.of()));
            }
        });
        leftOut.addAll(servers.leftOut());
        leftOut.addAll(plugin.servers().leftOut());
        if (plugin.folder() != null) {
            checkPaths(bundle, plugin.folder().files());
            things.put(plugin.folder().name(), plugin.folder());
            things.putAll(plugin.servers().things());
            replaced.putAll(plugin.servers().replaced());
            others.removeAll(OF_PLUGINS);
        }
        if (others.removeIf(path -> path.startsWith("hooks/"))) {
            leftOut.add("hooks of " + bundle + " are left out: they only work in a plugin; to use them in Claude Code:"
                    + " claude plugin install " + bundle.bundle() + "@" + bundle.namespace());
        }
        boolean whole = found.skills().stream().anyMatch(skill -> skill.folder().isEmpty());
        if (!whole) {
            files.forEach(file -> {
                if (FILE.matcher(file.path().value()).matches()) {
                    single(file, things, leftOut);
                    others.remove(file.path().value());
                }
            });
        }
        return new BundleParts(things, plugin, replaced, List.copyOf(leftOut), List.copyOf(others));
    }

    /// Checks the paths. The registry refuses bad paths, but it is not trusted.
    private static void checkPaths(RepositoryName bundle, SortedMap<String, BundlePart.Piece> inside) {
        var refused = PathRules.check(
                        inside.keySet().stream().map(LogicalPath::new).toList())
                .stream()
                .map(broken -> new RefusedPath(broken.path().value(), broken.code(), broken.rule()))
                .toList();
        if (!refused.isEmpty()) {
            throw new SheafException.UnsafePaths(bundle.toString(), refused, 0);
        }
    }

    private static void single(Asset file, SortedMap<ThingName, BundlePart> things, List<String> leftOut) {
        var match = FILE.matcher(file.path().value());
        if (!match.matches()) {
            return;
        }
        var kind = ContentKind.find(match.group(1)).orElseThrow();
        if (!SkillFolders.isName(match.group(2))) {
            leftOut.add(
                    file.path() + " is left out: its name may only contain a-z, 0-9 and single hyphens between them");
            return;
        }
        var name = new ThingName(kind, match.group(2));
        var inside = new TreeMap<String, BundlePart.Piece>();
        inside.put("", BundlePart.Piece.of(file));
        if (things.putIfAbsent(name, new BundlePart(name, inside)) != null) {
            leftOut.add(file.path() + " is left out: another file of this bundle is also called " + name);
        }
    }
}
