package dev.sheaf.server.skill;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.skill.Skill;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.skill.archive.ArchiveForm;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/// Decides which versions are plugins of Claude Code: those with files that it looks for, or with a skill
/// anywhere. Keeps a limited number of answers in memory. Thread-safe.
public final class ClaudePlugins {
    /// The largest download that Claude Code accepts. This many bytes also unpack quickly.
    public static final long MAX_BYTES = 256L << 20;

    public static final int MAX_FILES = 10_000;

    private static final int BYTES_OF_FILE = 500;
    private static final int FEW = 50; // up to this many are examined quickly
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final String MANIFEST = ".claude-plugin/plugin.json";
    private static final Pattern OWN = Pattern.compile(
            "(?:agents|commands)/.+\\.md|hooks/hooks\\.json|\\.mcp\\.json|\\.claude-plugin/plugin\\.json");
    private static final Pattern WHERE_IT_LOOKS = Pattern.compile("skills/[^/]+/");

    private final Skills skills;
    private final CpuPool cpu;
    private final Cache<UUID, Optional<ClaudePlugin>> versions = Caffeine.newBuilder()
            .maximumWeight(HeapShare.PLUGINS.bytes())
            .weigher((UUID version, Optional<ClaudePlugin> plugin) -> HeapShare.ENTRY
                    + plugin.map(known -> BYTES_OF_FILE * known.files().size()).orElse(0))
            .build();

    public ClaudePlugins(Skills skills, CpuPool cpu) {
        this.skills = skills;
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
        var found = version.assets().size() <= FEW
                ? made(bundle, version)
                : cpu.run(LIMIT, budget -> made(bundle, version));
        versions.put(id, found);
        return found;
    }

    private Optional<ClaudePlugin> made(BundleSnapshot bundle, BundleSnapshot.Resolved version) {
        var files = version.assets();
        var found = skills.of(bundle, version).skills();
        boolean forTheProgram = !found.isEmpty()
                || files.stream().anyMatch(file -> OWN.matcher(path(file)).matches());
        if (!forTheProgram || files.size() > MAX_FILES || !VersionSkills.standTogether(files)) {
            return Optional.empty();
        }
        boolean described = files.stream().anyMatch(file -> path(file).equals(MANIFEST));
        return VersionSkills.archive(files, ClaudePlugins::path, ArchiveForm.ZIP)
                .filter(archive -> archive.length() <= MAX_BYTES)
                .map(archive -> new ClaudePlugin(archive, files, described ? List.of() : elsewhere(found), described));
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
