package dev.sheaf.server.bundle.version;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.BundleChanges;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.NewBundles;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.publish.WorkingAssetRows;
import dev.sheaf.server.bundle.requirement.Dependents;
import dev.sheaf.server.bundle.requirement.RequiredBy;
import dev.sheaf.server.bundle.review.ReviewEnds;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.hub.HubIndex;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.gc.ContentRemoval;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Deletes and restores bundles, and purges bundles that were not restored within 30 days (contract 3.7). The
/// name of a deleted bundle stays taken. Thread-safe; several nodes may run [#purgeDue] at the same time.
public final class BundleDeletion {
    static final Duration RESTORABLE = Duration.ofDays(30);

    private static final String PURGED_BY = "service";
    private static final int BUNDLES = 20;
    private static final int VERSIONS = 50;

    private final Database database;
    private final Bundles bundles;
    private final NewBundles newBundles;
    private final Repositories repositories;
    private final ContentRemoval removal;
    private final PullCounts downloads;

    public BundleDeletion(
            Database database,
            Bundles bundles,
            NewBundles newBundles,
            Repositories repositories,
            ContentRemoval removal,
            PullCounts downloads) {
        this.database = database;
        this.bundles = bundles;
        this.newBundles = newBundles;
        this.repositories = repositories;
        this.removal = removal;
        this.downloads = downloads;
    }

    /// Hides a bundle and everything in its repository from everybody, immediately.
    ///
    /// @param force whether to delete it even if versions of the own organization need it
    /// @param precondition receives the current bundle, and throws if it is not what the caller expects
    /// @return public bundles of others that require it, at most 20
    /// @throws ProblemException required-by if versions of the own organization need it; conflict if others have
    /// downloaded a version and the key is not an admin key; validation-failed if a reason is needed; those of
    /// [Bundles#writable]
    public List<String> delete(
            ChangeOrigin origin,
            RepositoryName name,
            @Nullable String reason,
            boolean force,
            Consumer<Bundles.Overview> precondition) {
        downloads.flush();
        return database.write(tx -> {
            Access.delete(origin.caller(), name, repositories.lock(tx, name).orElse(null));
            var bundle = bundles.lock(tx, origin, name);
            precondition.accept(Bundles.overview(tx, bundle));
            var id = bundle.bundle().id();
            if (bundle.repository().hasRecalled()) {
                VersionDeletion.recalled(origin, name.toString(), "has a recalled version");
            }
            VersionRows.ids(tx, id).stream()
                    .filter(version -> PullCounts.pulledOutside(tx, version))
                    .findFirst()
                    .ifPresent(version ->
                            VersionDeletion.late(origin, name.toString(), "was downloaded by others", reason));
            if (!force && VersionRows.isPublishedBefore(tx, id, tx.now().minus(VersionDeletion.EARLY))) {
                RequiredBy.check(tx, origin, bundle);
            }
            Dependents.deleted(tx, bundle);
            var dependents = RequiredBy.dependents(tx, origin, bundle);
            ReviewEnds.withdrawAll(tx, origin, bundle.repository());
            repositories.delete(tx, bundle.repository());
            BundleRows.setDeleted(tx, id, origin.actor(), reason);
            HubIndex.refresh(tx, bundle.repository().id());
            BundleChanges.record(
                    tx,
                    origin,
                    bundle,
                    "bundle.delete",
                    name,
                    new Event.BundleDeleted(id, name.toString(), reason == null ? "" : reason));
            return dependents;
        });
    }

    /// Restores a deleted bundle as it was. A bundle that is not deleted stays as it is.
    ///
    /// @throws ProblemException conflict if it was deleted more than 30 days ago; those of [Bundles#writable]
    public Bundles.Overview restore(ChangeOrigin origin, RepositoryName name) {
        newBundles.mayMake(origin, name);
        return database.write(tx -> {
            var deleted = repositories.lockDeleted(tx, name);
            if (deleted.isPresent()) {
                restore(tx, origin, name, deleted.get());
            }
            return Bundles.overview(tx, bundles.lock(tx, origin, name));
        });
    }

    private void restore(Tx tx, ChangeOrigin origin, RepositoryName name, Repositories.Deleted deleted) {
        var repository = Access.write(origin.caller(), name, deleted.repository());
        if (deleted.purged() || !deleted.deletedAt().plus(RESTORABLE).isAfter(tx.now())) {
            throw new Problem.Conflict(name + " was deleted at " + deleted.deletedAt()
                            + ", more than 30 days ago, and can no longer be restored")
                    .raise();
        }
        repositories.restore(tx, repository);
        var id = BundleRows.setRestored(tx, repository.id());
        HubIndex.refresh(tx, repository.id());
        BundleChanges.record(
                tx, origin, repository, "bundle.restore", name, new Event.BundleRestored(id, name.toString()));
    }

    /// Purges bundles that were deleted 30 days ago or earlier: their versions become tombstones, and everything
    /// else is released. Works in small steps. Returns the number of bundles.
    public int purgeDue() {
        var due = database.read(tx -> repositories.unpurged(tx, tx.now().minus(RESTORABLE), BUNDLES));
        for (var name : due) {
            boolean more = true;
            while (more) {
                more = database.write(tx -> purge(tx, name));
            }
        }
        return due.size();
    }

    /// @return whether something is left
    private boolean purge(Tx tx, RepositoryName name) {
        var deleted = repositories
                .lockDeleted(tx, name)
                .filter(found ->
                        !found.purged() && !found.deletedAt().plus(RESTORABLE).isAfter(tx.now()));
        if (deleted.isEmpty()) {
            return false;
        }
        var repository = deleted.get().repository();
        var bundle = BundleRows.findDeleted(tx, repository.id()).map(row -> new BundleSnapshot(repository, row));
        if (bundle.isPresent()) {
            var versions = VersionRows.list(tx, bundle.get().bundle().id(), null, VERSIONS);
            versions.forEach(
                    row -> VersionDeletion.bury(tx, PURGED_BY, bundle.get(), row, "its bundle was deleted", false));
            if (!versions.isEmpty()) {
                return true;
            }
            WorkingAssetRows.deleteAll(tx, bundle.get().bundle().id());
        }
        if (removal.clear(tx, repository)) {
            return true;
        }
        bundle.ifPresent(found -> BundleRows.blank(tx, found));
        repositories.purged(tx, repository);
        return false;
    }
}
