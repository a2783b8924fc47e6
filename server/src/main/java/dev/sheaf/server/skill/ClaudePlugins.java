package dev.sheaf.server.skill;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.skill.Skill;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.skill.archive.ArchiveFile;
import dev.sheaf.server.skill.archive.ArchiveForm;
import dev.sheaf.server.skill.archive.SkillArchive;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Decides which versions are plugins of Claude Code: those with files that it looks for, or with a skill
/// anywhere. Keeps a limited number of answers in memory. Thread-safe.
public final class ClaudePlugins {
    /// The largest download that Claude Code accepts. This many bytes also unpack quickly.
    public static final long MAX_BYTES = 256L << 20;

    public static final int MAX_FILES = 10_000;

    private static final int BYTES_OF_FILE = 500;
    private static final int FEW = 50; // up to this many are examined quickly
    private static final int SHORT = 32 << 10; // bytes of a SKILL.md that are parsed quickly
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final String MANIFEST = ".claude-plugin/plugin.json";
    private static final Pattern WHERE_IT_LOOKS = Pattern.compile("skills/[^/]+/");

    private final Skills skills;
    private final AssetBytes contents;
    private final CpuPool cpu;
    private final Cache<UUID, Optional<ClaudePlugin>> versions = Caffeine.newBuilder()
            .maximumWeight(HeapShare.PLUGINS.bytes())
            .weigher((UUID version, Optional<ClaudePlugin> plugin) -> HeapShare.ENTRY
                    + plugin.map(known -> BYTES_OF_FILE * known.files().size()).orElse(0))
            .build();

    public ClaudePlugins(Skills skills, AssetBytes contents, CpuPool cpu) {
        this.skills = skills;
        this.contents = contents;
        this.cpu = cpu;
    }

    /// Returns the version as a plugin. Empty if it contains nothing for Claude Code, or if Claude Code could
    /// not unpack it.
    public Optional<ClaudePlugin> of(BundleSnapshot bundle, BundleSnapshot.Resolved version) {
        var id = version.version().id();
        var known = versions.getIfPresent(id);
        if (known != null) {
            return known;
        }
        var document = PluginFiles.described(skills.of(bundle, version).skills())
                .filter(file -> version.version().pluginFiles());
        byte[] text = document.map(file -> contents.bytes(bundle.repository(), file))
                .orElse(new byte[0]); // blobs are not read by computing threads
        var found = version.assets().size() <= FEW && text.length <= SHORT
                ? made(bundle, version, text)
                : cpu.run(LIMIT, budget -> made(bundle, version, text));
        versions.put(id, found);
        return found;
    }

    private Optional<ClaudePlugin> made(BundleSnapshot bundle, BundleSnapshot.Resolved version, byte[] document) {
        var files = version.assets();
        var found = skills.of(bundle, version).skills();
        if (!PluginFiles.isPlugin(files, found) || files.size() > MAX_FILES || !VersionSkills.standTogether(files)) {
            return Optional.empty();
        }
        boolean described = files.stream().anyMatch(file -> path(file).equals(MANIFEST));
        var derived = version.version().pluginFiles()
                ? PluginFiles.derived(
                        bundle.name().bundle().value(), version.version().version(), files, only -> document)
                : Collections.<LogicalPath, byte[]>emptySortedMap();
        var all = Stream.concat(
                        files.stream().map(file -> VersionSkills.file(file, path(file))),
                        derived.entrySet().stream()
                                .map(file -> ArchiveFile.derived(file.getKey().value(), file.getValue())))
                .toList();
        if (!SkillArchive.isPossible(ArchiveForm.ZIP, all)) {
            return Optional.empty();
        }
        var archive = SkillArchive.of(ArchiveForm.ZIP, all);
        boolean isStrict = described
                || derived.keySet().stream().anyMatch(path -> path.value().equals(MANIFEST));
        return archive.length() <= MAX_BYTES
                ? Optional.of(new ClaudePlugin(archive, files, described ? List.of() : elsewhere(found), isStrict))
                : Optional.empty();
    }

    private static String path(StoredAsset file) {
        return file.path().value();
    }

    private static List<String> elsewhere(List<Skill<StoredAsset>> skills) {
        return skills.stream()
                .map(Skill::folder)
                .filter(folder -> !WHERE_IT_LOOKS.matcher(folder).matches())
                .map(folder -> "./" + (folder.isEmpty() ? "" : folder.substring(0, folder.length() - 1)))
                .sorted()
                .toList();
    }
}
