package dev.sheaf.server.skill;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.blob.DiskCache;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.skill.archive.FileContents;
import dev.sheaf.server.skill.archive.SkillArchive;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Archives of skills. Their digests are computed once and stored; their bytes are assembled from the files of
/// the repository. Short archives are cached in memory and long ones on disk. Thread-safe.
public final class SkillArchives {
    private static final Logger LOG = LoggerFactory.getLogger(SkillArchives.class);

    private static final int BYTES_OF_FACTS = 600;
    private static final long SHORT = 128 << 10;
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final int BATCH = 500;

    private final Database database;
    private final AssetBytes contents;
    private final CpuPool cpu;
    private final DiskCache longs;
    private final SharedWork<Digest, SkillArchive.Facts> deriving = new SharedWork<>();
    private final Cache<Digest, SkillArchive.Facts> known = Caffeine.newBuilder()
            .maximumSize(HeapShare.SKILL_ARCHIVE_FACTS.entries(1, BYTES_OF_FACTS))
            .build();
    private final Cache<Digest, byte[]> shorts = Caffeine.newBuilder()
            .maximumWeight(HeapShare.SKILL_ARCHIVES.bytes())
            .expireAfterWrite(InvalidatedCache.LONGEST)
            .weigher((Digest key, byte[] bytes) -> bytes.length + HeapShare.ENTRY)
            .build();

    /// @param longs the cache for archives that are too long for memory
    public SkillArchives(Database database, AssetBytes contents, CpuPool cpu, DiskCache longs) {
        this.database = database;
        this.contents = contents;
        this.cpu = cpu;
        this.longs = longs;
        database.onChange(change -> {
            if (change.concernsContent()) {
                shorts.invalidateAll();
                longs.clear();
            }
        });
    }

    /// Returns the digest and sizes of an archive. The first call reads its files.
    ///
    /// @param repository contains the files
    /// @throws ProblemException blob-unknown if a file cannot be read; those of [CpuPool#run]
    public SkillArchive.Facts facts(Repository repository, SkillArchive archive) {
        var remembered = known.getIfPresent(archive.key());
        return remembered != null
                ? remembered
                : facts(repository, List.of(archive)).getFirst();
    }

    /// Returns the facts of several archives, in their order.
    List<SkillArchive.Facts> facts(Repository repository, List<SkillArchive> archives) {
        var missing = archives.stream()
                .map(SkillArchive::key)
                .filter(key -> known.getIfPresent(key) == null)
                .toList();
        var found = new HashMap<>(stored(missing));
        known.putAll(found);
        return archives.stream()
                .map(archive -> {
                    var facts = found.get(archive.key());
                    var remembered = facts == null ? known.getIfPresent(archive.key()) : facts;
                    return remembered == null
                            ? deriving.get(archive.key(), () -> derived(repository, archive))
                            : remembered;
                })
                .toList();
    }

    private Map<Digest, SkillArchive.Facts> stored(Collection<Digest> keys) {
        return keys.isEmpty()
                ? Map.of()
                : database.read(tx -> ArchiveRows.find(tx, keys)); // no transaction to find nothing
    }

    private SkillArchive.Facts derived(Repository repository, SkillArchive archive) {
        try {
            var facts = archive.derive(files(repository), cpu);
            database.write(tx -> {
                ArchiveRows.insert(tx, archive.key(), facts);
                return facts;
            });
            known.put(archive.key(), facts);
            return facts;
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private static ProblemException unreadable(IOException e) {
        LOG.error("cannot read the files of a skill: {}", e.toString());
        LOG.debug("where it failed", e);
        return new Problem.Unavailable("the blob store failed; try again", 5).raise();
    }

    /// Returns the digest of the tar archive before compression. Reads all files.
    ///
    /// @throws ProblemException those of [#facts]
    public Digest plainDigest(Repository repository, SkillArchive archive) {
        try {
            return archive.plainDigest(files(repository), cpu);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private FileContents files(Repository repository) {
        return (file, out) -> {
            if (file.text() != null) {
                out.write(file.text().getBytes(StandardCharsets.UTF_8));
                return;
            }
            var content = contents.open(repository, file.digest(), file.size());
            content.writeTo(out, 0, content.length());
        };
    }

    /// Writes an archive.
    ///
    /// @throws ProblemException blob-unknown if a file can no longer be read
    public void write(Repository repository, SkillArchive archive, OutputStream out) throws IOException {
        var facts = facts(repository, archive);
        if (archive.length() > SHORT) {
            longs.write(archive.key(), archive.length(), to -> archive.writeTo(to, facts, files(repository)), out);
            return;
        }
        byte[] bytes = shorts.getIfPresent(archive.key());
        if (bytes == null) {
            bytes = archive.bytes(facts, files(repository));
            shorts.put(archive.key(), bytes);
        }
        out.write(bytes);
    }

    /// Deletes results that are older than a year. If one is still needed, its files are read again. Called by
    /// a timer.
    public void sweep() {
        int gone;
        do {
            gone = database.write(tx -> ArchiveRows.sweep(tx, tx.now().minus(LONGEST), BATCH));
        } while (gone == BATCH);
    }
}
