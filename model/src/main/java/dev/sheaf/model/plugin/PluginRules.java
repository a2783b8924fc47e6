package dev.sheaf.model.plugin;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Version;
import dev.sheaf.model.skill.SkillNote;
import dev.sheaf.model.skill.SkillNote.Level;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.model.text.Quoted;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The checks of plugins, by the text of Agent Plugins 1.0. `sheaf lint` runs them, a push before it sends anything,
/// and a
/// registry when it publishes. A bundle with a `plugin.json` at its root is checked; others have no notes.
public final class PluginRules {
    private static final int MOST_SERVERS = 5; // that are named

    private PluginRules() {}

    /// Functions that read a file.
    ///
    /// @param executable null if it is not known
    /// @param bytes returns the content of a short file; empty to skip it
    public record Reading<T>(
            Function<T, LogicalPath> path,
            Function<T, @Nullable Boolean> executable,
            Function<T, Optional<byte[]>> bytes) {}

    /// The result.
    ///
    /// @param notes what programs refuse or ignore
    /// @param runs what programs start, which clients write only with consent; null if they start nothing
    public record Found(List<SkillNote> notes, @Nullable SkillNote runs) {
        static final Found NOTHING = new Found(List.of(), null);

        public Found {
            notes = List.copyOf(notes);
        }

        /// Returns all notes, that about what runs first.
        public List<SkillNote> all() {
            return Stream.concat(Stream.ofNullable(runs), notes.stream()).toList();
        }
    }

    /// Checks the files of one version.
    ///
    /// @param slug the slug of the bundle; null if it is not known yet
    /// @param version the version of the bundle; null if it is not known yet
    public static <T> Found of(
            @Nullable String slug, @Nullable Version version, Collection<T> files, Reading<T> reading) {
        var byPath = new HashMap<LogicalPath, T>();
        files.forEach(file -> byPath.put(reading.path().apply(file), file));
        var json = content(byPath, PluginManifest.PATH, reading);
        if (json.isEmpty()) {
            return slug == null || PluginManifest.nameOf(slug).isPresent() ? Found.NOTHING : nameless(byPath.keySet());
        }
        var read = ManifestReader.of(json.get());
        var notes = new ArrayList<>(read.notes());
        var manifest = read.manifest();
        if (manifest == null) {
            return new Found(notes, null);
        }
        String stated = manifest.version();
        if (stated != null && version != null && !stated.equals(version.toString())) {
            notes.add(new SkillNote(
                    PluginManifest.PATH,
                    Level.WARNING,
                    0,
                    "version: " + Quoted.of(stated) + " is not the version of the bundle, \"" + version
                            + "\"; programs that look for updates may read either"));
        }
        var skills = new LogicalPath("skills");
        if (byPath.containsKey(skills)) {
            notes.add(
                    new SkillNote(skills, Level.WARNING, 0, "programs look for a folder of this name, not for a file"));
        }
        var servers = content(byPath, McpFile.PATH, reading).map(McpFile::read);
        servers.ifPresent(found -> {
            notes.addAll(found.notes());
            found.servers().forEach(server -> file(server, byPath, reading, notes));
        });
        return new Found(
                notes, servers.map(McpFile::servers).flatMap(PluginRules::runs).orElse(null));
    }

    /// Notes that nothing can be derived for a bundle with a skill, because its slug is too long for a plugin.
    private static Found nameless(Collection<LogicalPath> paths) {
        return paths.stream()
                .filter(path -> path.fileName().equals(SkillText.FILE))
                .sorted()
                .findFirst()
                .map(path -> new SkillNote(
                        path,
                        Level.WARNING,
                        0,
                        "programs for plugins do not get this bundle from git: its slug has more than "
                                + PluginManifest.MAX_NAME + " characters; add a plugin.json with a shorter name"))
                .map(note -> new Found(List.of(note), null))
                .orElse(Found.NOTHING);
    }

    private static <T> Optional<byte[]> content(Map<LogicalPath, T> byPath, LogicalPath path, Reading<T> reading) {
        return Optional.ofNullable(byPath.get(path)).flatMap(reading.bytes());
    }

    /// Notes that the program of a server is not among the files, or cannot be executed.
    private static <T> void file(
            PluginServer server, Map<LogicalPath, T> byPath, Reading<T> reading, List<SkillNote> notes) {
        if (!(server instanceof PluginServer.Stdio program) || program.file().isEmpty()) {
            return;
        }
        String path = program.file().get();
        T file = byPath.entrySet().stream()
                .filter(entry -> entry.getKey().value().equals(path))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
        String where = "the server " + Quoted.of(server.name()) + ": ";
        if (file == null) {
            notes.add(new SkillNote(
                    McpFile.PATH, Level.WARNING, 0, where + "command: the bundle has no file " + Quoted.of(path)));
        } else if (Boolean.FALSE.equals(reading.executable().apply(file))) {
            notes.add(new SkillNote(
                    reading.path().apply(file), Level.WARNING, 0, where + "starts this file, which is not executable"));
        }
    }

    private static Optional<SkillNote> runs(List<PluginServer> servers) {
        if (servers.isEmpty()) {
            return Optional.empty();
        }
        String named = servers.stream()
                .limit(MOST_SERVERS)
                .map(server -> server.name() + ": " + Quoted.line(server.words(), 200))
                .collect(Collectors.joining("; "));
        String more = servers.size() > MOST_SERVERS ? "; and " + (servers.size() - MOST_SERVERS) + " more" : "";
        return Optional.of(new SkillNote(
                McpFile.PATH,
                Level.WARNING,
                0,
                "programs that install this plugin start or connect to its MCP servers by themselves: " + named
                        + more));
    }
}
