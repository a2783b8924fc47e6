package dev.sheaf.server.skill;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Version;
import dev.sheaf.model.plugin.DerivedPlugin;
import dev.sheaf.model.plugin.PluginManifest;
import dev.sheaf.model.skill.Skill;
import dev.sheaf.model.skill.SkillFolders;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.server.bundle.SkillTexts;
import dev.sheaf.server.bundle.StoredAsset;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Decides which versions agent programs can use as plugins: those with a manifest, with files that they look for, or
/// with
/// a skill anywhere. Those without a `plugin.json` get derived manifests.
public final class PluginFiles {
    private static final Pattern OWN = Pattern.compile("(?:agents|commands)/.+\\.md|hooks/hooks\\.json|\\.mcp\\.json"
            + "|\\.claude-plugin/plugin\\.json|plugin\\.json");

    private PluginFiles() {}

    /// @param skills the skills of the version
    static boolean isPlugin(List<StoredAsset> files, List<Skill<StoredAsset>> skills) {
        return !skills.isEmpty()
                || files.stream()
                        .anyMatch(file -> OWN.matcher(file.path().value()).matches());
    }

    /// Returns whether the version has a manifest, so that nothing is derived.
    public static boolean hasManifest(List<StoredAsset> files) {
        return files.stream().anyMatch(file -> file.path().equals(PluginManifest.PATH));
    }

    /// Returns the files that are derived for a version by path; empty if it is no plugin or has a manifest.
    ///
    /// @param slug the slug of the bundle
    /// @param document returns the content of the one SKILL.md that is read
    public static SortedMap<LogicalPath, byte[]> derived(
            String slug, Version version, List<StoredAsset> files, Function<StoredAsset, byte[]> document) {
        var name = PluginManifest.nameOf(slug);
        if (name.isEmpty() || hasManifest(files)) {
            return Collections.emptySortedMap();
        }
        var skills = SkillFolders.of(slug, files, SkillTexts.READING).skills();
        return isPlugin(files, skills)
                ? new DerivedPlugin(
                                name.get(),
                                version.toString(),
                                described(skills)
                                        .map(document)
                                        .flatMap(PluginFiles::description)
                                        .orElse(null))
                        .files(files.stream().map(StoredAsset::path).toList())
                : Collections.emptySortedMap();
    }

    /// Returns the SKILL.md whose description a derived manifest has; empty if there is not exactly one.
    static Optional<StoredAsset> described(List<Skill<StoredAsset>> skills) {
        return skills.size() == 1
                ? Optional.of(skills.getFirst().document()).filter(document -> document.size() <= SkillText.MAX_BYTES)
                : Optional.empty();
    }

    private static Optional<String> description(byte[] document) {
        try {
            return SkillText.parse(document).description();
        } catch (SkillText.Wrong e) {
            return Optional.empty();
        }
    }
}
