package dev.sheaf.server.skill.image;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.skill.Skill;
import dev.sheaf.model.skill.SkillRules;
import dev.sheaf.model.skill.SkillText;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.registry.tag.TagRecord;
import dev.sheaf.server.registry.tag.Tags;
import dev.sheaf.server.skill.SharedWork;
import dev.sheaf.server.skill.SkillArchives;
import dev.sheaf.server.skill.Skills;
import dev.sheaf.server.skill.VersionSkills;
import dev.sheaf.server.skill.archive.ArchiveForm;
import dev.sheaf.server.skill.archive.SkillArchive;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Makes images and artifacts from versions and stores their documents. Thread-safe.
public final class DerivedImages {
    /// The largest layer.
    public static final long MAX_BYTES = 1L << 30;

    public static final int MAX_FILES = 10_000;

    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final String WHITEOUT = ".wh.";

    private final Database database;
    private final Tags tags;
    private final AssetBytes contents;
    private final CpuPool cpu;
    private final Resolve resolve;
    private final Skills skills;
    private final SkillArchives archives;
    private final SharedWork<Key, MadeImage> making = new SharedWork<>();
    private final Cache<Key, MadeImage> known = Caffeine.newBuilder()
            .maximumWeight(HeapShare.IMAGES.bytes())
            .weigher((Key key, MadeImage made) -> HeapShare.ofArray(made.manifest().length)
                    + HeapShare.ofArray(made.config().length)
                    + 2 * HeapShare.ENTRY)
            .build();

    /// Reads and processes content.
    public record Reading(AssetBytes contents, CpuPool cpu) {}

    public DerivedImages(
            Database database, Tags tags, Resolve resolve, Skills skills, SkillArchives archives, Reading reading) {
        this.database = database;
        this.tags = tags;
        this.contents = reading.contents();
        this.cpu = reading.cpu();
        this.resolve = resolve;
        this.skills = skills;
        this.archives = archives;
    }

    /// What was requested.
    ///
    /// @param skill empty for the whole version
    public record Kind(ImageDialect dialect, String skill) {}

    private record Key(UUID version, Kind kind) {}

    /// Returns the image of a version. The first request makes it.
    ///
    /// @throws ProblemException not-found if the version cannot be made into one; those of
    /// [SkillArchives#facts]
    public MadeImage of(BundleSnapshot bundle, Kind kind, BundleSnapshot.Resolved version) {
        var key = new Key(version.version().id(), kind);
        var remembered = known.getIfPresent(key);
        if (remembered != null) {
            return remembered;
        }
        var made = database.read(tx -> ImageRows.find(tx, key.version(), kind.dialect(), kind.skill()))
                .orElseGet(() -> making.get(key, () -> kept(bundle, kind, key.version(), make(bundle, kind, version))));
        known.put(key, made);
        return made;
    }

    private MadeImage kept(BundleSnapshot bundle, Kind kind, UUID version, MadeImage made) {
        return database.write(tx -> {
            if (VersionRows.list(tx, List.of(version)).isEmpty()) {
                throw new Problem.NotFound("the version (it was deleted during this request)").raise();
            }
            ImageRows.insert(tx, bundle.repository().id(), kind.dialect(), kind.skill(), made);
            return ImageRows.find(tx, version, kind.dialect(), kind.skill()).orElseThrow();
        });
    }

    /// Returns the image with this manifest, config or layer, if it was requested by a tag before.
    public Optional<MadeImage> find(BundleSnapshot bundle, Kind kind, Digest digest) {
        return database.read(tx -> ImageRows.find(tx, bundle.repository().id(), kind.dialect(), kind.skill(), digest));
    }

    /// Returns the version that it was made from.
    public Optional<VersionRow> version(MadeImage made) {
        return database.read(tx -> VersionRows.list(tx, List.of(made.versionId()))).stream()
                .findFirst();
    }

    /// Writes a layer.
    ///
    /// @throws ProblemException blob-unknown if a file is gone
    public void write(BundleSnapshot bundle, Layer layer, OutputStream out) throws IOException {
        archives.write(bundle.repository(), layer.archive(), out);
    }

    /// A layer whose files exist.
    public record Layer(SkillArchive archive) {}

    /// Returns the layer of an image.
    ///
    /// @throws ProblemException blob-unknown if the version or a file is gone
    public Layer layer(BundleSnapshot bundle, Kind kind, MadeImage made) {
        var version = version(made)
                .flatMap(row -> resolve.find(bundle, new VersionSelector.ByVersion(row.version())))
                .orElseThrow(() -> new Problem.BlobUnknown(made.layerDigest()).raise());
        var files = kind.skill().isEmpty()
                ? version.assets()
                : skill(bundle, kind, version).files();
        contents.requireHeld(bundle.repository(), files);
        return new Layer(layer(bundle, kind, version));
    }

    /// A page of tags that point to versions.
    ///
    /// @param next the last tag of this page, null if there are no more
    public record Tagged(List<String> tags, @Nullable String next) {
        public static final Tagged NONE = new Tagged(List.of(), null);

        public Tagged {
            tags = List.copyOf(tags);
        }
    }

    /// Returns the tags that point to versions, out of the next `limit` tags after `after`.
    public Tagged tags(BundleSnapshot bundle, String after, int limit) {
        var repository = bundle.repository();
        var names = tags.names(repository, after, limit + 1);
        var others = database.read(
                tx -> { // whether they point to versions
                    var known = VersionRows.ofTags(tx, repository.id(), after, limit);
                    boolean hasLatest =
                            VersionRows.latest(tx, bundle.bundle().id()).isPresent();
                    return tags.named(tx, repository, after, limit).stream()
                            .collect(Collectors.toUnmodifiableMap(
                                    TagRecord::name,
                                    tag -> tag.name().equals(Tag.LATEST.value())
                                            ? hasLatest
                                            : tag.kind() != Tags.Kind.REGISTRY && known.containsKey(tag.manifestId())));
                });
        var page = names.stream().limit(limit).toList();
        return new Tagged(
                page.stream()
                        .filter(name ->
                                others.getOrDefault(name, Version.ofOciTag(name).isPresent()))
                        .toList(),
                names.size() > limit ? page.getLast() : null);
    }

    private MadeImage make(BundleSnapshot bundle, Kind kind, BundleSnapshot.Resolved version) {
        requireFit(bundle, kind, version);
        var archive = layer(bundle, kind, version);
        var repository = bundle.repository();
        Optional<SkillText> text = kind.skill().isEmpty()
                ? Optional.empty()
                : skills.text(repository, skill(bundle, kind, version)).filter(SkillRules::isListed);
        var documents = new ImageDocuments(bundle, kind, version.version());
        documents.requireText(text.orElse(null)); // before all files are read for nothing on every request
        var facts = archives.facts(repository, archive);
        return kind.dialect() == ImageDialect.IMAGE
                ? documents.image(facts, archives.plainDigest(repository, archive), text.orElse(null))
                : documents.skill(facts, text.orElseThrow());
    }

    private Skill<StoredAsset> skill(BundleSnapshot bundle, Kind kind, BundleSnapshot.Resolved version) {
        return skills.of(bundle, version)
                .find(kind.skill())
                .orElseThrow(() -> missing(bundle, version, "a skill " + kind.skill()));
    }

    private static ProblemException missing(BundleSnapshot bundle, BundleSnapshot.Resolved version, String what) {
        return new Problem.NotFound(what + " in version " + version.version().version() + " of " + bundle.name())
                .raise();
    }

    /// The contents of a layer.
    ///
    /// @param path the path of each file in the layer
    private record Files(List<StoredAsset> all, Function<StoredAsset, String> path) {}

    private Files files(BundleSnapshot bundle, Kind kind, BundleSnapshot.Resolved version) {
        if (kind.skill().isEmpty()) {
            return new Files(version.assets(), asset -> asset.path().value());
        }
        var skill = skill(bundle, kind, version);
        String folder = kind.dialect() == ImageDialect.AGENTSKILL ? skill.name() + "/" : "";
        return new Files(skill.files(), asset -> folder + skill.inside(asset.path()));
    }

    private SkillArchive layer(BundleSnapshot bundle, Kind kind, BundleSnapshot.Resolved version) {
        var files = files(bundle, kind, version);
        return Optional.of(files.all())
                .filter(all -> !all.isEmpty() && all.size() <= MAX_FILES)
                .filter(all -> all.stream().mapToLong(StoredAsset::size).sum() <= MAX_BYTES)
                .flatMap(all -> VersionSkills.archive(all, files.path(), ArchiveForm.TAR_GZ))
                .orElseThrow(() -> noLayer(bundle, version));
    }

    /// Called once, before anything is made.
    private void requireFit(BundleSnapshot bundle, Kind kind, BundleSnapshot.Resolved version) {
        var all = files(bundle, kind, version).all();
        boolean fit = all.size() <= MAX_FILES
                && cpu.run(
                        LIMIT,
                        budget -> all.stream().noneMatch(asset -> isWhiteout(asset) || isNameless(asset))
                                && VersionSkills.standTogether(all));
        if (!fit) {
            throw noLayer(bundle, version);
        }
    }

    private static ProblemException noLayer(BundleSnapshot bundle, BundleSnapshot.Resolved version) {
        return missing(
                bundle,
                version,
                "a layer (1 to " + MAX_FILES + " files of at most " + (MAX_BYTES >> 20)
                        + " MiB together, with names that fit a tar archive and do not begin with " + WHITEOUT + ")");
    }

    /// Returns whether the asset is a layer of an image that an OCI client pushed, and not a file.
    private static boolean isNameless(StoredAsset asset) {
        return asset.path().value().equals(asset.digest().toString().replace(':', '-'));
    }

    /// Returns whether the name would remove a file in an image (image-spec, "Whiteouts").
    private static boolean isWhiteout(StoredAsset asset) {
        return asset.path().value().startsWith(WHITEOUT) || asset.path().value().contains("/" + WHITEOUT);
    }
}
