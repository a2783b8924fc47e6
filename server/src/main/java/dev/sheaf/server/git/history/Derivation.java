package dev.sheaf.server.git.history;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.check.GitContent;
import dev.sheaf.server.bundle.publish.VersionNoteRows;
import dev.sheaf.server.git.repository.BareRepository;
import dev.sheaf.server.git.repository.RepositoryCache;
import dev.sheaf.server.git.repository.RepositoryState;
import dev.sheaf.server.registry.CleanUp;
import dev.sheaf.server.skill.PluginFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.internal.storage.file.PackInserter;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.revwalk.RevWalk;
import org.jspecify.annotations.Nullable;

/// Adds the commits of versions to a repository, in steps that take turns with the work of other callers. The result is
/// the same on every node. Thread-safe.
final class Derivation {
    /// Limits of one step: versions are added until they have this many assets or bytes.
    private static final int ASSETS = 4_000;

    private static final long BYTES = 64L << 20;
    private static final int VERSIONS = 100;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    /// Limits of one pack: its index is in memory until it is written.
    private static final int OBJECTS_OF_PACK = 150_000;

    private static final long BYTES_OF_PACK = 512L << 20;

    /// Contents whose ids are remembered from version to version.
    private static final int REMEMBERED = 20_000;

    private static final long RETRY_SECONDS = 60;
    private static final long BYTES_OF_VERSION = 4_096; // its commit and trees, about

    private final Database database;
    private final AssetBytes contents;
    private final CpuPool pool;
    private final RepositoryCache cache;

    /// @param pool for work that also queries the database
    Derivation(Database database, AssetBytes contents, CpuPool pool, RepositoryCache cache) {
        this.database = database;
        this.contents = contents;
        this.pool = pool;
        this.cache = cache;
    }

    private record Source(VersionRow version, @Nullable String message, List<StoredAsset> assets) {}

    /// Adds versions to a repository. What is done when the time is over stays done.
    ///
    /// @param state the state of the repository
    /// @param missing the versions after those of the state, in the order of publishing
    /// @param checkTime called before each piece of work; throws if the time is over
    /// @throws ProblemException service-unavailable if bytes are damaged or missing; those of [CpuPool#run] and of
    /// [RepositoryCache#reserve]
    void extend(
            BundleSnapshot bundle,
            BareRepository repository,
            RepositoryState state,
            List<UUID> missing,
            Runnable checkTime) {
        var run = new Run(bundle, repository, state, missing, checkTime);
        try {
            while (!run.ended) {
                checkTime.run();
                run.inPool(run::step);
            }
            run.inPool(budget -> run.flush());
        } catch (ProblemException e) {
            CleanUp.after(e, () -> run.inPool(budget -> run.flush()));
            throw e;
        } finally {
            run.close();
        }
    }

    private interface Step {
        void run(Budget budget) throws IOException;
    }

    /// One extension of a repository. Its steps run one after the other. A step goes on for a moment after its caller
    /// was interrupted: what follows waits for its end.
    private final class Run {
        private final ReentrantLock lock = new ReentrantLock();
        private final BundleSnapshot bundle;
        private final BareRepository repository;
        private final List<UUID> missing;
        private final Runnable checkTime;
        private final List<RepositoryState.Entry> versions;
        private final Map<Digest, ObjectId> known = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Digest, ObjectId> eldest) {
                return size() > REMEMBERED;
            }
        };
        private RepositoryState.@Nullable Unfinished unfinished;
        private @Nullable ObjectId tip;
        private @Nullable PackInserter inserter;
        private boolean begun;
        private boolean ended;
        private boolean closed;
        private long unwritten;
        private int objects;
        private int at; // the index of the next one of the missing versions

        Run(
                BundleSnapshot bundle,
                BareRepository repository,
                RepositoryState state,
                List<UUID> missing,
                Runnable checkTime) {
            this.bundle = bundle;
            this.repository = repository;
            this.missing = missing;
            this.checkTime = checkTime;
            this.versions = new ArrayList<>(state.versions());
            this.unfinished = state.unfinished();
            this.tip = state.tip(versions.size()).orElse(null);
        }

        void inPool(Step step) {
            pool.run(LIMIT, budget -> {
                lock.lock();
                try {
                    if (!closed) {
                        step.run(budget);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } finally {
                    lock.unlock();
                }
                return at;
            });
        }

        private PackInserter inserter() throws IOException {
            if (inserter == null) {
                inserter = repository.inserter();
            }
            return inserter;
        }

        void close() {
            lock.lock();
            try {
                closed = true;
                if (inserter != null) {
                    inserter.close();
                }
            } finally {
                lock.unlock();
            }
        }

        void step(Budget budget) throws IOException {
            if (!begun) {
                begun = true;
                remember();
            }
            var next = missing.subList(at, Math.min(at + VERSIONS, missing.size()));
            var sources = read(next);
            ended = sources.isEmpty();
            for (var source : sources) {
                if (!source.version().id().equals(missing.get(at))) {
                    ended = true; // that one was deleted meanwhile
                    return;
                }
                add(source, budget);
                at++;
                if (objects > OBJECTS_OF_PACK || unwritten > BYTES_OF_PACK) {
                    flush();
                }
            }
            ended |= at == missing.size();
        }

        /// Remembers the contents of the version before, most of which the next one has, too.
        private void remember() throws IOException {
            if (unfinished != null) {
                known.putAll(unfinished.blobs());
            }
            var last = versions.stream().filter(entry -> entry.commit() != null).reduce((first, second) -> second);
            if (last.isPresent() && tip != null) {
                try (var reader = repository.reader();
                        var walk = new RevWalk(reader)) {
                    var tree = DirCache.read(reader, walk.parseCommit(tip).getTree());
                    for (var asset :
                            database.read(tx -> AssetRows.list(tx, last.get().version()))) {
                        var entry = tree.getEntry(asset.path().value());
                        if (entry != null) {
                            known.put(asset.digest(), entry.getObjectId());
                        }
                    }
                }
            }
        }

        /// Reads the versions of a step. If one was deleted meanwhile, those before it are returned.
        private List<Source> read(List<UUID> ids) {
            return database.read(tx -> {
                var sources = new ArrayList<Source>();
                int assets = 0;
                long bytes = 0;
                for (var version : VersionRows.list(tx, ids)) {
                    if (assets >= ASSETS || bytes >= BYTES) {
                        break;
                    }
                    var its = AssetRows.list(tx, version.id());
                    sources.add(new Source(
                            version, VersionNoteRows.message(tx, version.id()).orElse(null), its));
                    assets += its.size();
                    bytes += version.size();
                }
                return sources;
            });
        }

        private void add(Source source, Budget budget) throws IOException {
            var version = source.version();
            if (refused(source)) {
                versions.add(new RepositoryState.Entry(version.id(), null, null));
                return;
            }
            var blobs = new HashMap<Digest, ObjectId>();
            unfinished = new RepositoryState.Unfinished(version.id(), blobs);
            cache.reserve(repository, unwritten + newBytes(source.assets()) + BYTES_OF_VERSION);
            for (var asset : source.assets()) {
                budget.check();
                var id = known.get(asset.digest());
                if (id == null) {
                    id = insert(asset, budget);
                    known.put(asset.digest(), id);
                }
                blobs.put(asset.digest(), id);
            }
            var tree = tree(source.assets(), blobs, Map.of());
            byte[] text = CommitText.of(bundle.name(), version, tree, tip, source.message());
            var commit = inserter().insert(Constants.OBJ_COMMIT, text);
            tip = commit;
            objects += 2;
            unwritten += BYTES_OF_VERSION;
            versions.add(new RepositoryState.Entry(version.id(), commit, plugin(source, blobs, commit)));
            unfinished = null;
        }

        /// Adds the commit with the manifests that programs for plugins need. Null if the version needs none.
        private @Nullable ObjectId plugin(Source source, Map<Digest, ObjectId> blobs, ObjectId parent)
                throws IOException {
            var derived = PluginFiles.derived(
                    bundle.name().bundle().value(),
                    source.version().version(),
                    source.assets(),
                    document -> VerifiedBytes.all(bundle.repository(), contents, document));
            if (derived.isEmpty()) {
                return null;
            }
            var ids = new TreeMap<LogicalPath, ObjectId>();
            for (var file : derived.entrySet()) {
                ids.put(file.getKey(), inserter().insert(Constants.OBJ_BLOB, file.getValue()));
            }
            objects += 3 + ids.size();
            unwritten += BYTES_OF_VERSION;
            var tree = tree(source.assets(), blobs, ids);
            return inserter()
                    .insert(
                            Constants.OBJ_COMMIT,
                            CommitText.of(bundle.name(), source.version(), tree, parent, CommitText.PLUGIN));
        }

        private long newBytes(List<StoredAsset> assets) {
            return assets.stream()
                    .filter(asset -> !known.containsKey(asset.digest()))
                    .mapToLong(StoredAsset::size)
                    .sum();
        }

        /// Checks the paths, and the content of files that git may refuse by their content.
        private boolean refused(Source source) {
            return GitRules.refused(source.assets()).isPresent()
                    || source.assets().stream()
                            .filter(asset -> GitContent.hasAttributes(asset.path()))
                            .map(asset -> VerifiedBytes.all(bundle.repository(), contents, asset))
                            .anyMatch(bytes -> GitContent.refused(bytes).isPresent());
        }

        private ObjectId insert(StoredAsset asset, Budget budget) throws IOException {
            objects++;
            unwritten += asset.size();
            try (var in = new VerifiedBytes(bundle.repository(), contents, asset, () -> {
                budget.check();
                checkTime.run();
            })) {
                return inserter().insert(Constants.OBJ_BLOB, asset.size(), in);
            }
        }

        private ObjectId tree(List<StoredAsset> assets, Map<Digest, ObjectId> blobs, Map<LogicalPath, ObjectId> derived)
                throws IOException {
            var index = DirCache.newInCore();
            var builder = index.builder();
            for (var asset : assets) {
                var entry = new DirCacheEntry(asset.path().value());
                entry.setFileMode(
                        Boolean.TRUE.equals(asset.executable()) ? FileMode.EXECUTABLE_FILE : FileMode.REGULAR_FILE);
                entry.setObjectId(Optional.ofNullable(blobs.get(asset.digest())).orElseThrow());
                builder.add(entry);
            }
            derived.forEach((path, id) -> {
                var entry = new DirCacheEntry(path.value());
                entry.setFileMode(FileMode.REGULAR_FILE);
                entry.setObjectId(id);
                builder.add(entry);
            });
            builder.finish();
            return index.writeTree(inserter());
        }

        void flush() throws IOException {
            if (inserter != null) {
                inserter.flush();
            }
            repository.record(versions, unfinished);
            unwritten = 0;
            objects = 0;
        }
    }

    static ProblemException unreadable(StoredAsset asset) {
        return new Problem.Unavailable(
                        "the bytes of " + asset.digest()
                                + " are damaged or cannot be read now, so the history for git cannot be made; ask the"
                                + " registry's operator",
                        RETRY_SECONDS)
                .raise();
    }
}
