package dev.sheaf.client.bundle;

import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.model.skill.SkillFolders;
import dev.sheaf.model.skill.SkillNote;
import dev.sheaf.model.skill.SkillRules;
import dev.sheaf.model.skill.SkillText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Checks the skills among the files of a bundle by the same rules as a registry.
final class SkillLint {
    private static final SkillFolders.Reading<LocalAsset> READING =
            new SkillFolders.Reading<>(LocalAsset::path, SkillLint::size);

    private SkillLint() {}

    /// @param slug the bundle's slug; null if it is not known yet
    static List<Finding> check(@Nullable String slug, List<LocalAsset> assets) {
        var notes = new ArrayList<SkillNote>();
        for (LocalAsset asset : assets) {
            if (asset.path().fileName().equals(SkillText.FILE)) {
                notes.addAll(SkillRules.ofDocument(slug, asset.path(), beginning(asset, SkillText.MAX_BYTES)));
            }
        }
        var found = SkillFolders.of(slug == null ? "bundle" : slug, assets, READING);
        notes.addAll(SkillRules.ofFolders(found, READING, SkillLint::lacksMode));
        notes.addAll(SkillRules.ofRunning(found, READING, asset -> Optional.of(beginning(asset, SkillText.MAX_BYTES))));
        return notes.stream().map(Finding::of).toList();
    }

    private static boolean lacksMode(LocalAsset asset) {
        byte[] start = asset.executable() ? new byte[0] : beginning(asset, 2);
        return start.length == 2 && start[0] == '#' && start[1] == '!';
    }

    static byte[] beginning(LocalAsset asset, int count) {
        try (var in = Files.newInputStream(asset.file(), LinkOption.NOFOLLOW_LINKS)) {
            return in.readNBytes(count);
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + asset.file(), e);
        }
    }

    static long size(LocalAsset asset) {
        try {
            return Files.size(asset.file());
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + asset.file(), e);
        }
    }
}
