package dev.sheaf.server.git.history;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Throttle;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.VersionRows.Glance;
import dev.sheaf.server.git.repository.BareRepository;
import dev.sheaf.server.git.repository.RepositoryCache;
import dev.sheaf.server.git.repository.RepositoryState;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.registry.tag.Tags;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The histories of bundles. A history is derived on first use, extended when a version was published, and cached
/// until the bundle changes. Thread-safe.
public final class Histories {
    private static final Logger LOG = LoggerFactory.getLogger(Histories.class);
    private static final long RETRY_SECONDS = 5;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    /// A repository with more packs is copied into one, because each look-up asks all packs.
    private static final int MANY_PACKS = 20;

    /// The objects that a copy may hold in memory: an eighth of the heap.
    private static final long MAX_COPIED = Runtime.getRuntime().maxMemory() / 8 / 300;

    private final Database database;
    private final Tags tags;
    private final CpuPool pool;
    private final RepositoryCache cache;
    private final Derivation derivation;
    private final LongSupplier nanos;
    private final Cache<RepositoryName, History> known = Caffeine.newBuilder()
            .maximumWeight(HeapShare.GIT_HISTORIES.bytes())
            .weigher((RepositoryName name, History history) -> history.weight())
            .executor(Runnable::run)
            .build();
    private final Map<RepositoryName, CountDownLatch> underWay = new ConcurrentHashMap<>();
    private final AtomicBoolean purged = new AtomicBoolean(true); // also while this node was down

    /// @param pool for work that also queries the database
    public Histories(Database database, Tags tags, AssetBytes contents, CpuPool pool, RepositoryCache cache) {
        this(database, tags, contents, pool, cache, System::nanoTime);
    }

    /// @param nanos a clock like [System#nanoTime]
    Histories(
            Database database,
            Tags tags,
            AssetBytes contents,
            CpuPool pool,
            RepositoryCache cache,
            LongSupplier nanos) {
        this.nanos = nanos;
        this.database = database;
        this.tags = tags;
        this.pool = pool;
        this.cache = cache;
        this.derivation = new Derivation(database, contents, pool, cache);
        database.onChange(change -> {
            if (change.concernsContent()) {
                purged.set(true);
            }
        });
    }

    /// Returns the current history of a bundle, for a caller who may read it.
    ///
    /// @param time the time limit for deriving. Finished work is kept, and the next request continues it
    /// @throws ProblemException service-unavailable if deriving takes longer than the limit, or an asset cannot be
    /// read; those of [CpuPool#run]
    public History of(BundleSnapshot bundle, Duration time) {
        var end = nanos.getAsLong() + time.toNanos();
        for (; ; ) {
            var history = known.getIfPresent(bundle.name());
            if (history != null && history.isOf(bundle)) {
                return history;
            }
            var mine = new CountDownLatch(1);
            var others = underWay.putIfAbsent(bundle.name(), mine);
            if (others == null) {
                try {
                    var made = derived(bundle, end);
                    known.put(bundle.name(), made);
                    return made;
                } finally {
                    underWay.remove(bundle.name(), mine);
                    mine.countDown();
                }
            }
            await(bundle, others, end);
        }
    }

    private void await(BundleSnapshot bundle, CountDownLatch others, long end) {
        try {
            if (!others.await(end - nanos.getAsLong(), TimeUnit.NANOSECONDS)) {
                throw later(Throttle.TIME, bundle, "is being made");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw later(Throttle.TIME, bundle, "is being made");
        }
    }

    private static ProblemException later(@Nullable Throttle throttle, BundleSnapshot bundle, String state) {
        return new Problem.Unavailable(
                        throttle,
                        "the history of " + bundle.name() + " for git " + state + "; try again",
                        RETRY_SECONDS)
                .raise();
    }

    private History derived(BundleSnapshot bundle, long end) {
        for (int attempt = 1; ; attempt++) {
            var use = new Use(cache.open(bundle.bundle().id()));
            try {
                return derived(bundle, use, end);
            } catch (UncheckedIOException e) { // of the cache: what is wrong with it goes with it
                LOG.warn("the copy of {} for git cannot be used and is made again: {}", bundle.name(), e.toString());
                LOG.debug("where it failed", e);
                cache.discard(use.repository);
                if (attempt > 1) {
                    throw later(null, bundle, "cannot be made now");
                }
            } finally {
                cache.release(use.repository);
            }
        }
    }

    /// A repository that is used and may be replaced by another one.
    private static final class Use {
        BareRepository repository;

        Use(BareRepository repository) {
            this.repository = repository;
        }
    }

    private History derived(BundleSnapshot bundle, Use use, long end) {
        for (; ; ) {
            var versions =
                    database.read(tx -> VersionRows.inOrder(tx, bundle.bundle().id()));
            var state = state(use.repository);
            int same = common(state, versions);
            var missing = versions.subList(same, versions.size()).stream()
                    .map(Glance::id)
                    .toList();
            if (same < state.versions().size() || isOfAnother(state, missing) || hasManyPacks(use.repository)) {
                use.repository = rewritten(use.repository, state, same);
            } else if (!missing.isEmpty()) {
                derivation.extend(bundle, use.repository, state, missing, () -> {
                    if (nanos.getAsLong() - end > 0) {
                        throw later(
                                Throttle.TIME,
                                bundle,
                                "is being made, with " + missing.size() + " of " + versions.size()
                                        + " versions to go when this request began");
                    }
                });
            } else {
                long objects = count(use.repository);
                var history = database.snapshot(tx -> history(tx, bundle, use.repository, state, objects));
                if (history.isPresent()) {
                    return history.get();
                }
            }
        }
    }

    private static RepositoryState state(BareRepository repository) {
        try {
            return repository.state().orElseThrow(() -> new IOException("its files are damaged"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns how many first versions are the same in both.
    private static int common(RepositoryState state, List<Glance> versions) {
        int same = 0;
        while (same < versions.size()
                && same < state.versions().size()
                && state.versions()
                        .get(same)
                        .version()
                        .equals(versions.get(same).id())) {
            same++;
        }
        return same;
    }

    /// Returns whether blobs were stored for a version that is not the next one, so that nobody may get them.
    private static boolean isOfAnother(RepositoryState state, List<UUID> missing) {
        var unfinished = state.unfinished();
        return unfinished != null && (missing.isEmpty() || !missing.getFirst().equals(unfinished.version()));
    }

    private static boolean hasManyPacks(BareRepository repository) {
        try {
            return repository.packs() > MANY_PACKS && repository.count() <= MAX_COPIED;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Makes a repository that contains only the first versions: the others were deleted, and nobody may get them.
    private BareRepository rewritten(BareRepository old, RepositoryState state, int count) {
        int kept = count(old) <= MAX_COPIED ? count : 0;
        return pool.run(LIMIT, budget -> cache.rewritten(old, state, kept, budget));
    }

    /// Returns the history of the versions; empty if they changed meanwhile.
    private Optional<History> history(
            Tx tx, BundleSnapshot bundle, BareRepository repository, RepositoryState state, long objects) {
        var versions = VersionRows.inOrder(tx, bundle.bundle().id());
        if (versions.size() != state.versions().size() || common(state, versions) < versions.size()) {
            return Optional.empty();
        }
        var commits = new HashMap<UUID, ObjectId>();
        var plugins = new HashMap<UUID, ObjectId>();
        var manifests = new LinkedHashMap<ObjectId, Long>();
        var yanked = new HashMap<ObjectId, UUID>();
        for (int i = 0; i < versions.size(); i++) {
            var version = versions.get(i);
            var entry = state.versions().get(i);
            if (entry.commit() instanceof ObjectId commit) {
                commits.put(version.id(), commit);
                add(commit, version, manifests, yanked);
            }
            if (entry.plugin() instanceof ObjectId plugin) {
                plugins.put(version.id(), plugin);
                add(plugin, version, manifests, yanked);
            }
        }
        var refs = RefNames.of(tx, tags, bundle, versions, new RefNames.Commits(commits, plugins));
        return Optional.of(new History(bundle, refs, manifests, yanked, repository, objects));
    }

    private static void add(
            ObjectId commit, Glance version, Map<ObjectId, Long> manifests, Map<ObjectId, UUID> yanked) {
        manifests.put(commit, version.manifestId());
        if (version.isYanked()) {
            yanked.put(commit, version.id());
        }
    }

    private static long count(BareRepository repository) {
        try {
            return repository.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Makes a history unknown, because its repository was evicted.
    public void forget(History history) {
        known.asMap().remove(history.bundle().name(), history);
    }

    /// Discards the repository of a history, because it is damaged. The next request derives it again.
    public void discard(History history) {
        LOG.warn(
                "the copy of {} for git is damaged and will be made again",
                history.bundle().name());
        cache.discard(history.repository());
        forget(history);
    }

    /// Removes from the disk what was purged. Nobody can fetch it anyway, because a repository is compared
    /// with the versions whenever the bundle has changed.
    public void forgetPurged() {
        if (!purged.getAndSet(false)) {
            return;
        }
        for (var bundle : cache.bundles()) {
            var repository = cache.open(bundle);
            try {
                var state = state(repository);
                var versions = database.read(tx -> VersionRows.inOrder(tx, bundle));
                if (common(state, versions) < state.versions().size() || state.unfinished() != null) {
                    cache.discard(repository);
                }
            } catch (UncheckedIOException e) {
                LOG.debug("{} is discarded, because it cannot be read", bundle, e);
                cache.discard(repository);
            } finally {
                cache.release(repository);
            }
        }
    }
}
