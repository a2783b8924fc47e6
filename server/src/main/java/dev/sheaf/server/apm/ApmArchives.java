package dev.sheaf.server.apm;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.archive.PlainArchive;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.skill.SkillArchives;
import dev.sheaf.server.skill.VersionSkills;
import dev.sheaf.server.skill.archive.ArchiveForm;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The archives of versions: as they were sent, or derived from the files. A derived archive depends on the files
/// alone, so its digest stays the same for ever. Thread-safe.
public final class ApmArchives {
    private static final int MAX_LISTED = 1_000;
    private static final int MAX_DERIVED = 100; // of a bundle
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int AT_ONCE = 100;
    private static final Duration AT_START = Duration.ofHours(1);
    private static final Duration OVERLAP = Duration.ofMinutes(2); // for transactions that end late
    private static final int BYTES_OF_LISTED = 400;
    private static final int BYTES_OF_SENT = 300;

    private static final Logger LOG = LoggerFactory.getLogger(ApmArchives.class);

    private final Database database;
    private final Bundles bundles;
    private final Resolve resolve;
    private final Blobs blobs;
    private final AssetBytes contents;
    private final SkillArchives archives;
    // of versions, which never change
    private final Cache<UUID, Optional<ApmArchiveRows.Sent>> sent = Caffeine.newBuilder()
            .maximumSize(HeapShare.APM_ARCHIVES.entries(2, BYTES_OF_SENT + HeapShare.ENTRY))
            .build();
    // by the numbers of snapshots: a commit that changes a bundle makes another snapshot of it
    private final Cache<Long, List<Listed>> lists = Caffeine.newBuilder()
            .maximumWeight(HeapShare.APM_ARCHIVES.bytes() / 2)
            .weigher((Long snapshot, List<Listed> list) -> HeapShare.ENTRY + BYTES_OF_LISTED * list.size())
            .build();
    private volatile @Nullable Instant since; // the last run; null if there was none on this node

    public ApmArchives(
            Database database,
            Bundles bundles,
            Resolve resolve,
            Blobs blobs,
            AssetBytes contents,
            SkillArchives archives) {
        this.database = database;
        this.bundles = bundles;
        this.resolve = resolve;
        this.blobs = blobs;
        this.contents = contents;
        this.archives = archives;
    }

    /// A version as an archive, with its size in bytes.
    public record Archive(String mediaType, Digest digest, long size, Answer.Writer content) {}

    /// A version and what is known of its archive.
    public record Listed(Version version, Digest digest, Instant publishedAt, long size) {}

    /// Derives the archives of new versions that came without one, so that nobody waits for them. Those of versions
    /// that were published before this release are derived by the first list. One node at a time does this.
    public void deriveNew(TaskRun run) {
        var begun = database.now();
        var after = TimeOrderedIds.edge(since == null ? begun.minus(AT_START) : since);
        var some = bundles.recent(after, AT_ONCE);
        while (!some.isEmpty()) {
            for (var version : some) {
                run.checkpoint();
                try {
                    bundles.find(version.ref())
                            .flatMap(bundle -> resolve.find(bundle, new VersionSelector.ByVersion(version.version()))
                                    .map(found -> find(bundle, found.version())))
                            .ifPresent(found -> run.advance(1));
                } catch (ProblemException e) {
                    LOG.debug("no archive of {}: {}", version, e.toString()); // the list tries again
                }
            }
            some = some.size() < AT_ONCE
                    ? List.of()
                    : bundles.recent(some.getLast().id(), AT_ONCE);
        }
        since = begun.minus(OVERLAP);
    }

    /// Returns the versions with an archive that are not yanked, newest first. Archives of the newest versions that
    /// came without one are derived; what takes longer than five seconds is listed from the next call on.
    ///
    /// @param paying runs before work that costs more than reading rows
    /// @throws ProblemException those of [SkillArchives#facts]
    public List<Listed> list(BundleSnapshot bundle, Runnable paying) {
        var kept = lists.getIfPresent(bundle.number());
        if (kept != null) {
            return kept;
        }
        paying.run();
        long end = System.nanoTime() + LIMIT.toNanos();
        var listed = new ArrayList<Listed>();
        int derived = 0;
        boolean isWhole = true;
        var rows = bundles.versionsByTime(bundle, null, MAX_LISTED);
        var known = sent(rows);
        for (var row : rows) {
            boolean isSent = known.containsKey(row.id());
            if (row.isYanked() || !isSent && derived++ >= MAX_DERIVED) {
                continue;
            }
            isWhole &= isSent || System.nanoTime() < end;
            if (isSent || isWhole) {
                archive(bundle, row, known)
                        .map(found -> new Listed(row.version(), found.digest(), row.publishedAt(), found.size()))
                        .ifPresent(listed::add);
            }
        }
        if (isWhole) {
            lists.put(bundle.number(), List.copyOf(listed));
        }
        return listed;
    }

    /// Returns the archive of a version, also of a yanked one.
    ///
    /// @throws ProblemException those of [Resolve#resolve]; not-found if the version cannot be an archive
    public Archive find(BundleSnapshot bundle, VersionRow version) {
        return archive(bundle, version, sent(List.of(version)))
                .orElseThrow(() -> new Problem.NotFound("an archive of version " + version.version() + " of "
                                + bundle.name() + " (it has more than " + PlainArchive.MAX_FILES + " files or "
                                + (PlainArchive.MAX_BYTES >> 20)
                                + " MiB, or paths that clash on some file systems or that unzip changes, or its archive was"
                                + " deleted)")
                        .raise());
    }

    /// Returns the archives that came with versions, by version.
    private Map<UUID, ApmArchiveRows.Sent> sent(List<VersionRow> versions) {
        var ids = versions.stream().map(VersionRow::id).toList();
        var known = sent.getAll(ids, missing -> {
            var found = new HashMap<UUID, Optional<ApmArchiveRows.Sent>>();
            missing.forEach(id -> found.put(id, Optional.empty()));
            database.read(tx -> ApmArchiveRows.list(tx, found.keySet()))
                    .forEach(archive -> found.put(archive.versionId(), Optional.of(archive)));
            return found;
        });
        var archived = new HashMap<UUID, ApmArchiveRows.Sent>();
        known.values().forEach(archive -> archive.ifPresent(its -> archived.put(its.versionId(), its)));
        return archived;
    }

    /// Returns the archive that came with a version, else a derived one. If somebody has deleted the first through
    /// `/v2`, there is none: another would not have its digest.
    private Optional<Archive> archive(BundleSnapshot bundle, VersionRow version, Map<UUID, ApmArchiveRows.Sent> known) {
        var repository = bundle.repository();
        var came = Optional.ofNullable(known.get(version.id()));
        return came.isEmpty()
                ? derived(bundle, version)
                : came.filter(archive ->
                                blobs.find(repository, archive.digest()).isPresent())
                        .map(archive -> new Archive(archive.mediaType(), archive.digest(), archive.size(), out -> {
                            var content = contents.open(repository, archive.digest(), archive.size());
                            content.writeTo(out, 0, content.length());
                        }));
    }

    private Optional<Archive> derived(BundleSnapshot bundle, VersionRow version) {
        var repository = bundle.repository();
        return resolve.find(bundle, new VersionSelector.ByVersion(version.version()))
                .map(BundleSnapshot.Resolved::assets)
                .filter(ApmArchives::fits)
                .flatMap(files -> VersionSkills.archive(
                                files, file -> file.path().value(), ArchiveForm.ZIP)
                        .map(archive -> {
                            var digest = archives.facts(repository, archive).digest();
                            return new Archive(archive.form().mediaType(), digest, archive.length(), out -> {
                                contents.requireHeld(repository, files);
                                archives.write(repository, archive, out);
                            });
                        }));
    }

    private static boolean fits(List<StoredAsset> files) {
        return !files.isEmpty()
                && files.size() <= PlainArchive.MAX_FILES
                && files.stream().mapToLong(StoredAsset::size).sum() <= PlainArchive.MAX_BYTES
                && VersionSkills.standTogether(files);
    }
}
