package dev.sheaf.server.skill;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.skill.Skill;
import dev.sheaf.model.skill.SkillRules;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.skill.archive.ArchiveForm;
import dev.sheaf.server.skill.archive.SkillArchive;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds the skills of versions and keeps a limited number of answers in memory. Thread-safe.
public final class Skills {
    private static final Logger LOG = LoggerFactory.getLogger(Skills.class);

    private static final int SMALL = 32 << 10;
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final AssetBytes contents;
    private final SkillArchives archives;
    private final CpuPool cpu;
    private final Cache<UUID, VersionSkills> versions = Caffeine.newBuilder()
            .maximumWeight(HeapShare.SKILLS.bytes())
            .weigher((UUID version, VersionSkills skills) -> skills.weight() + HeapShare.ENTRY)
            .build();

    public Skills(AssetBytes contents, SkillArchives archives, CpuPool cpu) {
        this.contents = contents;
        this.archives = archives;
        this.cpu = cpu;
    }

    /// Returns the skills of a version, one for each folder.
    public VersionSkills of(BundleSnapshot bundle, BundleSnapshot.Resolved version) {
        return versions.get(
                version.version().id(),
                missing -> new VersionSkills(bundle.name().bundle().value(), version.assets()));
    }

    /// Returns the skills that an index lists, each with the digest of its archive and its description. Skills
    /// without a name or description are left out.
    ///
    /// @throws ProblemException those of [SkillArchives#facts]
    public List<VersionSkills.Entry> entries(Repository repository, VersionSkills skills) {
        var known = skills.entries();
        if (known != null) {
            return known;
        }
        var made = new ArrayList<Described>();
        for (var skill : skills.skills()) {
            description(repository, skill).ifPresent(said -> made.add(new Described(skill, said, usual(skill))));
        }
        var facts =
                archives.facts(repository, made.stream().map(Described::archive).toList());
        var entries = new ArrayList<VersionSkills.Entry>();
        for (int i = 0; i < made.size(); i++) {
            var skill = made.get(i).skill();
            entries.add(new VersionSkills.Entry(
                    skill.name(),
                    made.get(i).description(),
                    made.get(i).archive().form(),
                    facts.get(i).digest(),
                    skill.files().stream()
                            .map(asset -> skill.inside(asset.path()))
                            .toList()));
        }
        skills.know(entries);
        return entries;
    }

    private record Described(Skill<StoredAsset> skill, String description, SkillArchive archive) {}

    private static SkillArchive usual(Skill<StoredAsset> skill) {
        return VersionSkills.archive(skill, ArchiveForm.TAR_GZ)
                .or(() -> VersionSkills.archive(skill, ArchiveForm.ZIP))
                .orElseThrow();
    }

    /// Returns the name and description of a skill. Empty if they cannot be read.
    ///
    /// @throws ProblemException those of [CpuPool#run]
    public Optional<SkillText> text(Repository repository, Skill<StoredAsset> skill) {
        byte[] bytes = beginning(repository, skill.document());
        return bytes.length <= SMALL ? said(bytes) : cpu.run(LIMIT, (Budget budget) -> said(bytes));
    }

    private Optional<String> description(Repository repository, Skill<StoredAsset> skill) {
        return text(repository, skill)
                .filter(SkillRules::isListed)
                .flatMap(SkillText::description)
                .map(SkillRules::listed);
    }

    private static Optional<SkillText> said(byte[] bytes) {
        try {
            return Optional.of(SkillText.parse(bytes));
        } catch (SkillText.Wrong e) {
            return Optional.empty();
        }
    }

    private byte[] beginning(Repository repository, StoredAsset document) {
        var content = contents.open(repository, document.digest(), document.size());
        if (content.length() <= SMALL) {
            return content.bytes();
        }
        int count = (int) Math.min(content.length(), SkillText.MAX_BYTES);
        var out = new ByteArrayOutputStream(count);
        try {
            content.writeTo(out, 0, count);
        } catch (IOException e) {
            LOG.error("cannot read a SKILL.md although it exists: {}", e.toString());
            LOG.debug("where it failed", e);
            throw new Problem.Unavailable("the blob store failed; try again", 5).raise();
        }
        return out.toByteArray();
    }
}
