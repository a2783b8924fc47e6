package dev.sheaf.server.git.history;

import dev.sheaf.model.Digest;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.check.GitContent;
import dev.sheaf.server.bundle.publish.VersionNoteRows;
import dev.sheaf.server.cpu.Budget;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.registry.Undo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/// Derives commits from versions in batches and stores them. The result is the same on every node, so two nodes
/// may do it at the same time. Thread-safe.
final class Derivation {
    /// Limits of one batch: versions are added until they have this many assets or bytes.
    private static final int ASSETS = 4_000;

    private static final long BYTES = 256L << 20;
    private static final int VERSIONS = 100;
    private static final int IDS = 500;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Database database;
    private final BlobIds blobs;
    private final CpuPool cpu;

    Derivation(Database database, BlobIds blobs, CpuPool cpu) {
        this.database = database;
        this.blobs = blobs;
        this.cpu = cpu;
    }

    /// A version to derive.
    private record Source(
            VersionRow version,
            @Nullable String message,
            List<StoredAsset> assets,
            @Nullable String refused) {
        boolean isGiven() {
            return refused == null;
        }
    }

    /// The commit of a version with its objects, to be stored.
    private record Made(HistoryRows.Commit commit, List<GitObject> objects) {}

    /// The versions that have no commit yet.
    ///
    /// @param parent the parent of the first version; null if it has none
    /// @param versions in the order of publishing
    record Rest(@Nullable ObjectId parent, List<UUID> versions) {}

    /// Derives the first batch of these versions.
    ///
    /// @param checkTime called before each piece of work; throws if the time is over
    /// @return the other versions; empty if one was deleted meanwhile, so that all must be read again
    Optional<Rest> advance(Snapshot bundle, Rest rest, Runnable checkTime) {
        var parent = rest.parent();
        var versions = rest.versions();
        checkTime.run();
        var sources = checked(bundle, read(versions));
        var blobs = blobs(bundle, sources, checkTime);
        var made = cpu.run(LIMIT, budget -> new Batch(bundle, blobs, budget).of(sources, parent));
        boolean written = database.write(tx -> tx.attempt(() -> write(tx, bundle, made)));
        if (!written || !isStartOf(versions, made)) {
            return Optional.empty();
        }
        var tip = parent;
        for (var version : made) {
            if (version.commit().id() instanceof String id) {
                tip = ObjectId.fromString(id);
            }
        }
        return Optional.of(new Rest(tip, versions.subList(made.size(), versions.size())));
    }

    private static boolean isStartOf(List<UUID> versions, List<Made> made) {
        return !made.isEmpty() && made.getLast().commit().versionId().equals(versions.get(made.size() - 1));
    }

    private static void write(Tx tx, Snapshot bundle, List<Made> made) {
        for (var version : made) {
            HistoryRows.put(tx, bundle.repository().id(), version.commit());
            HistoryRows.insert(tx, bundle.repository().id(), version.commit().versionId(), version.objects());
        }
    }

    /// Reads the versions. A version that was deleted meanwhile is skipped; the batch is then not stored.
    private List<Source> read(List<UUID> versions) {
        var first = versions.subList(0, Math.min(VERSIONS, versions.size()));
        return database.read(tx -> {
            var sources = new ArrayList<Source>();
            int assets = 0;
            long bytes = 0;
            for (var version : VersionRows.list(tx, first)) {
                if (assets >= ASSETS || bytes >= BYTES) {
                    break;
                }
                var its = AssetRows.list(tx, version.id());
                String message = VersionNoteRows.message(tx, version.id()).orElse(null);
                sources.add(
                        new Source(version, message, its, GitRules.refused(its).orElse(null)));
                assets += its.size();
                bytes += version.size();
            }
            return sources;
        });
    }

    /// Checks the content of files that git may refuse by their content.
    private List<Source> checked(Snapshot bundle, List<Source> sources) {
        return sources.stream()
                .map(source -> source.isGiven()
                        ? new Source(
                                source.version(),
                                source.message(),
                                source.assets(),
                                longLine(bundle, source).orElse(null))
                        : source)
                .toList();
    }

    private Optional<String> longLine(Snapshot bundle, Source source) {
        return source.assets().stream()
                .filter(asset -> GitContent.hasAttributes(asset.path()))
                .flatMap(asset -> GitContent.refused(
                        blobs.open(bundle.repository(), new BlobIds.Wanted(asset.digest(), asset.size()))
                                .bytes())
                        .map(why -> asset.path() + " " + why)
                        .stream())
                .findFirst();
    }

    /// Blobs by digest.
    ///
    /// @param fresh the digests that have no row yet. An existing row is only deleted with an earlier version,
    /// and then everything after that version is derived again
    private record Blobs(Map<Digest, GitObject> all, Set<Digest> fresh) {
        GitObject known(Digest digest) {
            var blob = all.get(digest);
            if (blob == null) {
                throw new IllegalStateException(digest + " was not hashed");
            }
            return blob;
        }
    }

    /// Returns the blobs of all assets; hashes unknown ones.
    private Blobs blobs(Snapshot bundle, List<Source> sources, Runnable checkTime) {
        var wanted = new LinkedHashMap<Digest, BlobIds.Wanted>();
        sources.stream()
                .filter(Source::isGiven)
                .forEach(source -> source.assets()
                        .forEach(
                                asset -> wanted.put(asset.digest(), new BlobIds.Wanted(asset.digest(), asset.size()))));
        var known = new HashMap<Digest, GitObject>();
        for (var digests : parts(List.copyOf(wanted.keySet()))) {
            database.read(tx -> HistoryRows.blobs(tx, bundle.repository().id(), digests))
                    .forEach(blob -> known.put(digest(blob), blob));
        }
        var missing = wanted.values().stream()
                .filter(content -> !known.containsKey(content.digest()))
                .toList();
        var made = new Blobs(known, new HashSet<>());
        try {
            blobs.of(bundle.repository(), missing, checkTime, blob -> {
                known.put(digest(blob), blob);
                made.fresh().add(digest(blob));
            });
        } catch (RuntimeException e) {
            Undo.after(e, () -> keep(bundle, sources, made)); // so that the next request has less to do
            throw e;
        }
        return made;
    }

    /// Stores the blobs that were hashed before the time was over, each with the first version that contains
    /// it.
    private void keep(Snapshot bundle, List<Source> sources, Blobs made) {
        var first = new LinkedHashMap<UUID, Set<GitObject>>();
        var left = new HashSet<>(made.fresh());
        for (var source : sources) {
            if (source.isGiven()) {
                var its = first.computeIfAbsent(source.version().id(), missing -> new LinkedHashSet<>());
                source.assets().stream()
                        .map(StoredAsset::digest)
                        .filter(left::remove)
                        .forEach(digest -> its.add(made.known(digest)));
            }
        }
        long repository = bundle.repository().id();
        database.write(tx -> tx.attempt(
                () -> first.forEach((version, objects) -> HistoryRows.insert(tx, repository, version, objects))));
    }

    private static Digest digest(GitObject blob) {
        if (blob.digest() instanceof Digest digest) {
            return digest;
        }
        throw new IllegalStateException(blob.id().name() + " is not a blob");
    }

    private static <T> List<List<T>> parts(List<T> all) {
        var parts = new ArrayList<List<T>>();
        for (int i = 0; i < all.size(); i += IDS) {
            parts.add(all.subList(i, Math.min(i + IDS, all.size())));
        }
        return parts;
    }

    /// Makes the objects of several versions, one after the other.
    private static final class Batch {
        private final Snapshot bundle;
        private final Blobs blobs;
        private final Budget budget;
        private final Set<ObjectId> seen = new HashSet<>();

        Batch(Snapshot bundle, Blobs blobs, Budget budget) {
            this.bundle = bundle;
            this.blobs = blobs;
            this.budget = budget;
        }

        List<Made> of(List<Source> sources, @Nullable ObjectId before) {
            var made = new ArrayList<Made>(sources.size());
            var parent = before;
            for (var source : sources) {
                String under = parent == null ? null : parent.name();
                var id = source.version().id();
                if (!source.isGiven()) {
                    made.add(new Made(new HistoryRows.Commit(id, null, under, null, source.refused()), List.of()));
                    continue;
                }
                var objects = new LinkedHashSet<GitObject>();
                var tree = Trees.of(source.assets(), this::blob, budget, objects::add);
                var commit = CommitText.of(bundle.name(), source.version(), tree, parent, source.message());
                source.assets().stream()
                        .filter(asset -> blobs.fresh().contains(asset.digest()))
                        .forEach(asset -> objects.add(blobs.known(asset.digest())));
                objects.add(commit);
                objects.removeIf(object -> !seen.add(object.id()));
                made.add(new Made(
                        new HistoryRows.Commit(id, commit.id().name(), under, tree.name(), null),
                        List.copyOf(objects)));
                parent = commit.id();
            }
            return made;
        }

        private ObjectId blob(Digest digest) {
            return blobs.known(digest).id();
        }
    }
}
