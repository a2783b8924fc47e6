package dev.sheaf.server.bundle.decision;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.work.Task;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.bundle.VersionRescan;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.NearMatches;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.review.BundlePolicies;
import dev.sheaf.server.bundle.review.HeldPushes;
import dev.sheaf.server.bundle.review.ReviewRows;
import dev.sheaf.server.bundle.review.Scanner;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.content.ManifestRows;
import dev.sheaf.server.registry.tag.Tags;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;

/// Reads versions again that readers have: by the registry's own rules, in the background, and by the scanners of
/// the policy. Whatever is found hides nothing; the organization is told. Thread-safe.
public final class VersionRescans implements Task {
    private static final int AT_ONCE = 100;
    private static final String SERVICE = "service";
    private static final Duration LATELY = Duration.ofDays(1);

    private final Database database;
    private final Repositories repositories;
    private final Bundles bundles;
    private final Tags tags;

    public VersionRescans(Database database, Repositories repositories, Bundles bundles, Tags tags) {
        this.database = database;
        this.repositories = repositories;
        this.bundles = bundles;
        this.tags = tags;
    }

    /// Has a version read again.
    ///
    /// @throws ProblemException version-not-found; conflict if it is recalled; too-many-held; those of
    /// [Bundles#lock]
    public VersionRescan rescan(ChangeOrigin origin, RepositoryName name, Version version) {
        return database.write(tx -> {
            var bundle = bundles.lock(tx, origin, name);
            var row = VersionRows.exact(tx, bundle.bundle().id(), version)
                    .orElseThrow(() -> NearMatches.missing(tx, tags, bundle, version.toString())
                            .raise());
            if (row.recall() != null) {
                throw new Problem.Conflict(name + ":" + row.version() + " is recalled, so nobody gets it").raise();
            }
            VersionRows.readAgain(tx, List.of(row.id()));
            AuditRows.record(tx, origin, "version.rescan", name + ":" + row.version());
            return new VersionRescan(
                    row.version().toString(), row.digest().toString(), ask(tx, origin.actor(), bundle, row));
        });
    }

    /// Has all versions read again that readers may get. Scanners are not asked again about what they were asked
    /// about within a day, so that a second run goes on where the first had no room.
    @Override
    public void run(TaskRun run) {
        run.expect(database.read(VersionRows::countReadable), "versions");
        var asking = new HashMap<RepositoryName, Boolean>(); // whether a policy names scanners
        for (var some = after("");
                !some.isEmpty();
                some = after(some.getLast().id().toString())) {
            run.checkpoint();
            var ids = some.stream().map(VersionRows.Readable::id).toList();
            if (!run.isDryRun()) {
                database.write(tx -> {
                    VersionRows.readAgain(tx, ids);
                    return ids;
                });
            }
            run.count("versionsRead", ids.size());
            for (var version : some) {
                if (asking.computeIfAbsent(version.ref(), this::namesScanners)) {
                    run.checkpoint();
                    ask(run, version);
                }
            }
            run.advance(some.size());
        }
    }

    private List<VersionRows.Readable> after(String id) {
        return database.read(tx -> VersionRows.readable(tx, id, AT_ONCE));
    }

    private boolean namesScanners(RepositoryName name) {
        return !database.read(tx -> BundlePolicies.effective(tx, name))
                .scanners()
                .isEmpty();
    }

    private void ask(TaskRun run, VersionRows.Readable version) {
        if (run.isDryRun()) {
            run.count("versionsForScanners", 1);
            return;
        }
        try {
            boolean asked = database.write(tx -> ask(tx, version));
            run.count("versionsForScanners", asked ? 1 : 0);
        } catch (ProblemException e) {
            if (!(e.problem() instanceof Problem.TooManyHeld)) {
                throw e;
            }
            run.count("versionsLeft", 1);
            run.find(
                    version.ref() + ":" + version.version(),
                    "its scanners were not asked, because too many versions wait; run the task again");
        }
    }

    private boolean ask(Tx tx, VersionRows.Readable version) {
        var repository = repositories.lock(tx, version.ref()).orElse(null);
        var bundle =
                repository == null ? null : BundleRows.find(tx, repository.id()).orElse(null);
        var row = bundle == null
                ? null
                : VersionRows.find(tx, bundle.id(), version.version())
                        .filter(found -> found.id().equals(version.id()) && found.recall() == null)
                        .orElse(null);
        if (repository == null || bundle == null || row == null) {
            return false; // gone meanwhile
        }
        boolean isLate = ReviewRows.last(tx, repository.id(), row.version())
                .filter(last ->
                        last.isRescan() && last.pushedAt().isAfter(tx.now().minus(LATELY)))
                .isPresent();
        return !isLate
                && !ask(tx, SERVICE, new BundleSnapshot(repository, bundle), row)
                        .isEmpty();
    }

    /// Asks the scanners of the policy, unless a review of the version waits. Returns their names.
    private static List<String> ask(Tx tx, String actor, BundleSnapshot bundle, VersionRow version) {
        var policy = BundlePolicies.effective(tx, bundle.name());
        var approval = policy.approval();
        boolean waits =
                ReviewRows.open(tx, bundle.repository().id(), version.version()).isPresent();
        if (policy.scanners().isEmpty()
                || approval == null
                || waits
                || ManifestRows.listsOthers(tx, version.manifestId())) {
            return List.of();
        }
        HeldPushes.request(tx, actor, bundle, version, policy, approval.withoutPeople());
        return policy.scanners().stream().map(Scanner::name).toList();
    }
}
