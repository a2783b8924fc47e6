package dev.sheaf.model.plugin;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.PathRules;
import dev.sheaf.model.oci.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The manifests that a registry derives for a bundle without a `plugin.json`, one for each kind of program: commits
/// for
/// git and archives contain them, versions do not. They depend on the name and version of the bundle and on the
/// description of its only skill. Their bytes never change: commits that were fetched name them.
///
/// @param name see [PluginManifest#nameOf]
/// @param description null if there is not exactly one skill, or it says nothing
public record DerivedPlugin(
        String name, String version, @Nullable String description) {
    private static final LogicalPath CLAUDE = new LogicalPath(".claude-plugin/plugin.json");
    private static final LogicalPath GEMINI = new LogicalPath("gemini-extension.json");
    private static final List<LogicalPath> PATHS = List.of(PluginManifest.PATH, CLAUDE, GEMINI);

    /// Returns the files by path. Files of the version are never replaced, and nothing is derived that could not be
    /// beside
    /// them in a folder.
    ///
    /// @param version the paths of the version, without a `plugin.json`
    public SortedMap<LogicalPath, byte[]> files(Collection<LogicalPath> version) {
        var paths = new ArrayList<>(version);
        var files = new TreeMap<LogicalPath, byte[]>();
        for (var path : PATHS) {
            paths.add(path);
            if (!version.contains(path) && PathRules.clashes(paths).isEmpty()) {
                files.put(path, content(path));
            } else {
                paths.removeLast();
            }
        }
        return files;
    }

    private byte[] content(LogicalPath path) {
        var members = new TreeMap<String, String>();
        members.put("name", path.equals(GEMINI) ? name.replace('.', '-') : name);
        members.put("version", version);
        if (description != null) {
            members.put("description", description);
        }
        if (path.equals(PluginManifest.PATH)) {
            members.put("$schema", PluginManifest.SCHEMA);
        }
        return (CanonicalJson.of(members) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /// Returns whether a registry derives files at this path.
    public static boolean mayBe(LogicalPath path) {
        return PATHS.contains(path);
    }

    /// Returns whether a file in a folder is one that a registry derived: somebody fetched a version with it, and it is
    /// not
    /// part of the bundle. Its version may be another one.
    ///
    /// @param slug the slug of the bundle
    /// @param content the content of the file
    public static boolean isDerived(String slug, LogicalPath path, byte[] content) {
        var name = PluginManifest.nameOf(slug);
        if (!mayBe(path) || name.isEmpty()) {
            return false;
        }
        try {
            return JsonReader.read(content, PluginManifest.MAX_BYTES) instanceof JsonValue.Members members
                    && text(members, "version") instanceof String version
                    && Arrays.equals(
                            new DerivedPlugin(name.get(), version, text(members, "description")).content(path),
                            content);
        } catch (JsonReader.Wrong e) {
            return false;
        }
    }

    private static @Nullable String text(JsonValue.Members members, String name) {
        return members.values().get(name) instanceof JsonValue.Text text ? text.value() : null;
    }
}
