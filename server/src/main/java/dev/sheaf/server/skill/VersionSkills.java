package dev.sheaf.server.skill;

import dev.sheaf.model.Digest;
import dev.sheaf.model.PathRules;
import dev.sheaf.model.skill.Skill;
import dev.sheaf.model.skill.SkillFolders;
import dev.sheaf.server.bundle.SkillTexts;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.skill.archive.ArchiveFile;
import dev.sheaf.server.skill.archive.ArchiveForm;
import dev.sheaf.server.skill.archive.SkillArchive;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The skills of a version, which never change. Thread-safe.
public final class VersionSkills {
    private static final int BYTES_OF_ASSET = 250;
    private static final int BYTES_OF_SKILL = 3_000; // with its description

    private final List<Skill<StoredAsset>> skills;
    private final int assets;
    private final Map<Form, Optional<SkillArchive>> archives = new ConcurrentHashMap<>();
    private volatile @Nullable List<Entry> entries;

    VersionSkills(String slug, List<StoredAsset> assets) {
        this.skills = SkillFolders.of(slug, assets, SkillTexts.READING).skills();
        this.assets = assets.size();
    }

    /// A skill as an index lists it.
    ///
    /// @param form the first form that can hold its paths, in order of popularity
    /// @param digest the digest of its archive
    /// @param files the paths of the skill
    public record Entry(String name, String description, ArchiveForm form, Digest digest, List<String> files) {
        public Entry {
            files = List.copyOf(files);
        }
    }

    /// Returns the skills, sorted by name.
    public List<Skill<StoredAsset>> skills() {
        return skills;
    }

    public Optional<Skill<StoredAsset>> find(String name) {
        return skills.stream().filter(skill -> skill.name().equals(name)).findFirst();
    }

    /// Returns a file of a skill, by its path within the skill.
    public static Optional<StoredAsset> file(Skill<StoredAsset> skill, String path) {
        return skill.files().stream()
                .filter(asset -> skill.inside(asset.path()).equals(path))
                .findFirst();
    }

    private record Form(String skill, ArchiveForm form) {}

    /// Returns the archive of a skill. Empty if the form cannot hold the skill's paths.
    public Optional<SkillArchive> archiveOf(Skill<StoredAsset> skill, ArchiveForm form) {
        return archives.computeIfAbsent(new Form(skill.name(), form), asked -> archive(skill, form));
    }

    /// Returns the archive of a skill. Empty if the form cannot hold the skill's paths.
    static Optional<SkillArchive> archive(Skill<StoredAsset> skill, ArchiveForm form) {
        return archive(skill.files(), asset -> skill.inside(asset.path()), form);
    }

    /// Returns an archive of some files of a version.
    ///
    /// @param path the path of each file in the archive
    public static Optional<SkillArchive> archive(
            List<StoredAsset> files, Function<StoredAsset, String> path, ArchiveForm form) {
        var held = files.stream().map(asset -> file(asset, path.apply(asset))).toList();
        return SkillArchive.isPossible(form, held) ? Optional.of(SkillArchive.of(form, held)) : Optional.empty();
    }

    static ArchiveFile file(StoredAsset asset, String path) {
        return new ArchiveFile(path, Boolean.TRUE.equals(asset.executable()), asset.digest(), asset.size());
    }

    /// Returns whether the paths can exist side by side in a folder, on any file system.
    public static boolean standTogether(List<StoredAsset> files) {
        return PathRules.clashes(files.stream().map(StoredAsset::path).toList()).isEmpty();
    }

    @Nullable
    List<Entry> entries() {
        return entries;
    }

    void know(List<Entry> found) {
        this.entries = List.copyOf(found);
    }

    /// Returns the bytes that it takes at most: each archive form holds all assets once more, and each skill has its
    /// entry.
    int weight() {
        return BYTES_OF_ASSET * (1 + ArchiveForm.values().length) * assets + BYTES_OF_SKILL * skills.size();
    }
}
