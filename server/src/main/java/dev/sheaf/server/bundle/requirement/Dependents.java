package dev.sheaf.server.bundle.requirement;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.VersionRange;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The bundles that require a bundle: who uses it, and who must be told when it changes. Thread-safe.
public final class Dependents {
    private static final int AT_ONCE = 100;

    private final Database database;

    public Dependents(Database database) {
        this.database = database;
    }

    /// A bundle that requires another one.
    ///
    /// @param version its newest published version that does
    public record Dependent(RepositoryName name, String version, String range, boolean optional) {}

    /// Returns the dependents that the caller may read, by name: public ones, and those of the caller's own
    /// organization.
    ///
    /// @param after the dependent after which to go on; null for the beginning
    public List<Dependent> list(Caller caller, BundleSnapshot bundle, @Nullable RepositoryName after, int limit) {
        var own = caller instanceof Caller.Known known ? known.organizationId() : null;
        long repository = bundle.repository().id();
        return database.read(tx -> {
            var found = new ArrayList<DependentRows.Row>();
            var from = after;
            boolean more = true;
            while (more && found.size() < limit) {
                var page = DependentRows.page(tx, repository, from, own, false, limit);
                page.stream().filter(row -> Access.mayRead(caller, row)).forEach(found::add);
                more = page.size() == limit;
                from = page.isEmpty() ? from : page.getLast().name();
            }
            var some = found.subList(0, Math.min(limit, found.size()));
            var uses = uses(tx, repository, some);
            return some.stream()
                    .flatMap(row -> Optional.ofNullable(uses.get(row.versionId())).stream()
                            .map(use -> new Dependent(
                                    row.name(), use.version().toString(), use.versionRange(), use.optional())))
                    .toList();
        });
    }

    private static Map<UUID, DependentRows.Use> uses(Tx tx, long repository, List<DependentRows.Row> rows) {
        var uses = new HashMap<UUID, DependentRows.Use>();
        DependentRows.uses(
                        tx,
                        repository,
                        rows.stream().map(DependentRows.Row::versionId).toList())
                .forEach(use -> uses.put(use.versionId(), use));
        return uses;
    }

    // --- telling of changes ---

    /// What happened to a version or a bundle.
    public enum Cause {
        YANKED,
        RECALLED,
        DELETED;

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Notes a change of a version in its transaction. Its cost does not depend on the number of dependents.
    public static void changed(Tx tx, BundleSnapshot bundle, VersionRow version, Cause cause) {
        long repository = bundle.repository().id();
        if (DependentRows.isRequired(tx, repository)) {
            DependentRows.insert(tx, repository, version.version(), version.id(), cause.word());
        }
    }

    /// Notes the deletion of a bundle in its transaction.
    public static void deleted(Tx tx, BundleSnapshot bundle) {
        long repository = bundle.repository().id();
        if (DependentRows.isRequired(tx, repository)) {
            DependentRows.insert(tx, repository, null, bundle.bundle().id(), Cause.DELETED.word());
        }
    }

    /// Tells the organizations of dependents of all changes so far, some dependents at a time.
    public void tell(TaskRun run) {
        boolean more = true;
        while (more) {
            run.checkpoint();
            int told = database.write(Dependents::tellSome);
            more = told >= 0;
            run.count("dependentsTold", Math.max(0, told));
        }
    }

    /// Returns the number of events; negative if there are no changes left.
    private static int tellSome(Tx tx) {
        var next = DependentRows.next(tx);
        if (next.isEmpty()) {
            return -1;
        }
        var change = next.get();
        var page = DependentRows.page(tx, change.repositoryId(), change.reached(), null, true, AT_ONCE);
        var uses = uses(tx, change.repositoryId(), page);
        int told = 0;
        for (var row : page) {
            var use = uses.get(row.versionId());
            if (use != null && isAffected(change, use) && DependentRows.isFor(tx, change, row.organizationId())) {
                OutboxRows.emit(tx, row.organizationId(), event(change, row, use));
                told++;
            }
        }
        if (page.size() < AT_ONCE) {
            DependentRows.done(tx, change);
        } else {
            DependentRows.reach(tx, change, page.getLast().name());
        }
        return told;
    }

    private static boolean isAffected(DependentRows.Change change, DependentRows.Use use) {
        var version = change.version();
        return version == null
                || VersionRange.find(use.versionRange())
                        .filter(range -> range.contains(version))
                        .isPresent();
    }

    private static Event.DependencyAffected event(
            DependentRows.Change change, DependentRows.Row row, DependentRows.Use use) {
        return new Event.DependencyAffected(
                use.bundleId(),
                row.versionId(),
                row.name().toString(),
                use.version().toString(),
                change.changedId(),
                change.cause());
    }
}
