package dev.sheaf.server.bundle.check;

import dev.sheaf.model.skill.SkillFolders;
import dev.sheaf.model.skill.SkillNote;
import dev.sheaf.model.skill.SkillRules;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.server.bundle.Asset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

/// Checks the skills of a version by the rules of `sheaf lint`: files that clients do not install, and errors in
/// SKILL.md files. Only lint checks whether scripts are executable, because it reads every file.
public final class SkillChecks {
    /// The code of warnings about parts that programs run by themselves.
    public static final String RUNS = "runs-programs";

    private static final String CODE = "skill";
    private static final int MAX = 100; // limit of documents that are read
    private static final SkillFolders.Reading<Asset> READING = new SkillFolders.Reading<>(Asset::path, Asset::size);

    private SkillChecks() {}

    /// @param slug the bundle's slug
    /// @param document returns the bytes of a SKILL.md, as [SkillText#parse] takes them; empty to skip it
    public static List<ContentChecks.Warning> of(
            String slug, List<Asset> assets, Function<Asset, Optional<byte[]>> document) {
        if (assets.stream().noneMatch(SkillChecks::isDocument)) {
            return List.of();
        }
        var notes = new ArrayList<SkillNote>();
        assets.stream()
                .filter(SkillChecks::isDocument)
                .limit(MAX)
                .forEach(asset -> document.apply(asset)
                        .ifPresent(bytes -> notes.addAll(SkillRules.ofDocument(slug, asset.path(), bytes))));
        var found = SkillFolders.of(slug, assets, READING);
        notes.addAll(SkillRules.ofFolders(found, READING, asset -> false));
        return Stream.concat(
                        running(found, document).stream().map(note -> warning(RUNS, note)),
                        notes.stream()
                                .filter(note -> note.level() != SkillNote.Level.INFO)
                                .map(note -> warning(CODE, note)))
                .toList();
    }

    private static boolean isDocument(Asset asset) {
        return asset.path().fileName().equals(SkillText.FILE);
    }

    private static List<SkillNote> running(
            SkillFolders.Found<Asset> found, Function<Asset, Optional<byte[]>> document) {
        var left = new AtomicInteger(MAX);
        return SkillRules.ofRunning(
                found, READING, asset -> left.getAndDecrement() > 0 ? document.apply(asset) : Optional.empty());
    }

    static ContentChecks.Warning warning(String code, SkillNote note) {
        String line = note.line() > 0 ? "line " + note.line() + ": " : "";
        return new ContentChecks.Warning(note.path(), code, line + note.message());
    }
}
