package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.skill.Skill;
import dev.sheaf.model.skill.SkillFolders;
import dev.sheaf.model.skill.SkillRules;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.server.registry.content.SmallBlobs;
import dev.sheaf.server.registry.content.StagedBlob;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Reads the texts of a version's skills inside a transaction. Only SKILL.md files of up to 32 KiB are read, which
/// are stored in rows, and only the first ones.
public final class SkillTexts {
    /// Reads the path and the size of an asset.
    public static final SkillFolders.Reading<StoredAsset> READING =
            new SkillFolders.Reading<>(StoredAsset::path, StoredAsset::size);

    private static final int MAX = 64;
    private static final long MAX_BYTES = 512 << 10;

    private SkillTexts() {}

    /// A skill and its text.
    ///
    /// @param name the name of its folder
    /// @param document the path of its SKILL.md
    /// @param files the number of its files
    public record Entry(String name, SkillText text, LogicalPath document, int files) {
        /// Returns whether indexes for clients include it.
        public boolean isListed() {
            return SkillRules.isListed(text);
        }
    }

    /// @param slug the slug of the bundle
    /// @param assets the assets of the version
    /// @param staged blobs that need not be read, because the transaction has just stored them
    public static List<Entry> of(Tx tx, String slug, List<StoredAsset> assets, List<StagedBlob> staged) {
        if (assets.stream().noneMatch(asset -> asset.path().fileName().equals(SkillText.FILE))) {
            return List.of();
        }
        var skills = some(SkillFolders.of(slug, assets, READING).skills());
        var contents = SmallBlobs.of(
                tx, skills.stream().map(skill -> skill.document().digest()).toList(), staged);
        var told = new ArrayList<Entry>();
        skills.forEach(skill -> read(skill, contents, told));
        return told;
    }

    private static List<Skill<StoredAsset>> some(List<Skill<StoredAsset>> skills) {
        var some = new ArrayList<Skill<StoredAsset>>();
        long left = MAX_BYTES;
        for (var skill : skills) {
            left -= skill.document().size();
            if (left < 0 || some.size() == MAX) {
                break;
            }
            some.add(skill);
        }
        return some;
    }

    private static void read(Skill<StoredAsset> skill, Map<Digest, byte[]> contents, List<Entry> told) {
        byte[] bytes = contents.get(skill.document().digest());
        if (bytes == null) {
            return;
        }
        try {
            told.add(new Entry(
                    skill.name(),
                    SkillText.parse(bytes),
                    skill.document().path(),
                    skill.files().size()));
        } catch (SkillText.Wrong e) {
            // an invalid SKILL.md was reported when the version was published
        }
    }
}
