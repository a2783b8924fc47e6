package dev.sheaf.server.git.history;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.VersionRows.Glance;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.registry.tag.Tags;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/// The histories of bundles. A history is derived on first use, extended when a version was published, and cached
/// until the bundle changes. Thread-safe.
public final class Histories {
    private static final long RETRY_SECONDS = 5;

    private final Database database;
    private final Tags tags;
    private final Derivation derivation;
    private final LongSupplier nanos;
    private final Cache<RepositoryName, History> known = Caffeine.newBuilder()
            .maximumWeight(HeapShare.GIT_HISTORIES.bytes())
            .weigher((RepositoryName name, History history) -> history.weight())
            .executor(Runnable::run)
            .build();
    private final Map<RepositoryName, CountDownLatch> underWay = new ConcurrentHashMap<>();

    public Histories(Database database, Tags tags, AssetBytes contents, CpuPool cpu) {
        this(database, tags, contents, cpu, System::nanoTime);
    }

    /// @param nanos a clock like [System#nanoTime]
    Histories(Database database, Tags tags, AssetBytes contents, CpuPool cpu, LongSupplier nanos) {
        this.nanos = nanos;
        this.database = database;
        this.tags = tags;
        this.derivation = new Derivation(database, new BlobIds(contents, cpu), cpu);
    }

    /// Returns whether the current history of a bundle is in memory.
    public boolean isKnown(Snapshot bundle) {
        var history = known.getIfPresent(bundle.name());
        return history != null && history.isOf(bundle);
    }

    /// Returns the current history of a bundle, for a caller who may read it.
    ///
    /// @param time the time limit for deriving. Finished work is kept, and the next request continues it
    /// @throws ProblemException service-unavailable if deriving takes longer than the limit, or an asset cannot be
    /// read; those of [CpuPool#run]
    public History of(Snapshot bundle, Duration time) {
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

    private void await(Snapshot bundle, CountDownLatch others, long end) {
        try {
            if (!others.await(end - nanos.getAsLong(), TimeUnit.NANOSECONDS)) {
                throw later(bundle, "is being made");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw later(bundle, "is being made");
        }
    }

    private static ProblemException later(Snapshot bundle, String state) {
        return new Problem.Unavailable(
                        "the history of " + bundle.name() + " for git " + state + "; try again", RETRY_SECONDS)
                .raise();
    }

    private History derived(Snapshot bundle, long end) {
        for (; ; ) {
            var state = database.snapshot(tx -> state(tx, bundle));
            if (state.history() instanceof History history) {
                return history;
            }
            var rest = Optional.of(state.left());
            while (rest.isPresent() && !rest.get().versions().isEmpty()) {
                int left = rest.get().versions().size();
                rest = derivation.advance(bundle, rest.get(), () -> {
                    if (nanos.getAsLong() - end > 0) {
                        throw later(bundle, "is being made, with " + left + " of " + state.all() + " versions to go");
                    }
                });
            }
        }
    }

    /// The progress of deriving a history.
    ///
    /// @param all the number of versions
    /// @param left the versions without a valid commit
    /// @param history the history; null while versions are left
    private record State(
            int all, Derivation.Rest left, @Nullable History history) {}

    /// Finds the valid commits: the parent of each must be the commit before it. After a deletion, later
    /// commits are invalid.
    private State state(Tx tx, Snapshot bundle) {
        long repository = bundle.repository().id();
        var versions = VersionRows.inOrder(tx, bundle.bundle().id());
        var rows = HistoryRows.commits(tx, repository);
        var commits = new HashMap<UUID, ObjectId>();
        var manifests = new LinkedHashMap<ObjectId, Long>();
        var yanked = new HashMap<ObjectId, UUID>();
        ObjectId tip = null;
        for (int i = 0; i < versions.size(); i++) {
            var row = rows.get(versions.get(i).id());
            String under = tip == null ? null : tip.name();
            if (row == null || row.id() != null && !Objects.equals(row.parent(), under)) {
                var left = versions.subList(i, versions.size()).stream()
                        .map(Glance::id)
                        .toList();
                return new State(versions.size(), new Derivation.Rest(tip, left), null);
            }
            if (row.id() instanceof String id) {
                tip = ObjectId.fromString(id);
                commits.put(row.versionId(), tip);
                manifests.put(tip, versions.get(i).manifestId());
                if (versions.get(i).isYanked()) {
                    yanked.put(tip, row.versionId());
                }
            }
        }
        var refs = RefNames.of(tx, tags, bundle, versions, commits);
        return new State(
                versions.size(),
                new Derivation.Rest(tip, List.of()),
                new History(bundle, refs, manifests, yanked, HistoryRows.count(tx, repository)));
    }
}
