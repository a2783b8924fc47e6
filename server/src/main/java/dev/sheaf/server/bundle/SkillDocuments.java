package dev.sheaf.server.bundle;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Digest;
import dev.sheaf.model.plugin.PluginManifest;
import dev.sheaf.model.skill.Skill;
import dev.sheaf.model.skill.SkillFolders;
import dev.sheaf.server.registry.content.SmallBlobs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads what the skills and the plugin of a version say of themselves, each in one query. Thread-safe.
public final class SkillDocuments {
    private static final int MAX = 64;

    private final Database database;

    public SkillDocuments(Database database) {
        this.database = database;
    }

    /// A skill and the bytes of its SKILL.md.
    ///
    /// @param bytes null if the file is longer than 32 KiB, or the skill is not one of the first 64; must
    /// not be modified
    public record Document(Skill<StoredAsset> skill, byte @Nullable [] bytes) {}

    /// Returns the plugin of a version; empty if it is none.
    ///
    /// @param assets the assets of the version
    public Optional<PluginTexts.Entry> plugin(List<StoredAsset> assets) {
        boolean isPlugin = assets.stream().anyMatch(asset -> asset.path().equals(PluginManifest.PATH));
        return isPlugin ? database.read(tx -> PluginTexts.of(tx, assets, List.of())) : Optional.empty();
    }

    /// Returns the skills of a version by name.
    ///
    /// @param assets the assets of the version
    public List<Document> of(BundleSnapshot bundle, List<StoredAsset> assets) {
        String slug = bundle.name().bundle().value();
        var skills = SkillFolders.of(slug, assets, SkillTexts.READING).skills();
        var digests = skills.stream()
                .limit(MAX)
                .map(skill -> skill.document().digest())
                .toList();
        Map<Digest, byte[]> contents =
                digests.isEmpty() ? Map.of() : database.read(tx -> SmallBlobs.of(tx, digests, List.of()));
        return skills.stream()
                .map(skill -> new Document(skill, contents.get(skill.document().digest())))
                .toList();
    }
}
