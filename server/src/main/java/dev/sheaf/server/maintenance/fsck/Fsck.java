package dev.sheaf.server.maintenance.fsck;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.engine.work.Task;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.org.Organization;
import dev.sheaf.server.bundle.tag.TagCheck;
import dev.sheaf.server.hub.HubIndex;
import dev.sheaf.server.maintenance.fsck.FsckRows.Part;
import dev.sheaf.server.maintenance.fsck.FsckRows.Rule;
import dev.sheaf.server.maintenance.fsck.FsckRows.Violation;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.org.OrganizationRows;
import dev.sheaf.server.org.ReservedNames;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.DamagedContent;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Checks that rows agree with each other and with objects: objects must exist and have the right length. Their
/// content is checked by a scrub instead. Nothing is ever deleted. Faults with a safe repair are repaired and
/// reported; other faults are only reported.
///
/// If a page of the database is damaged, the check names the tables and goes on with the rest, and repairs nothing.
///
/// Missing content is no longer trusted ([DamagedContent]). The next push of the same content repairs it.
public final class Fsck implements Task {
    private static final Logger LOG = LoggerFactory.getLogger(Fsck.class);
    private static final int FOUND = 1_000;
    private static final int PAGE = 200;
    private static final int ALL_MISSING = 10;
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long START_ROWS = 20_000;
    private static final long START_FILE = 64 << 20;
    private static final int SHOWN = 20;
    private static final String UNCHECKED = "not checked, because the database is damaged";

    private final Database database;
    private final BlobStore store;
    private final TagCheck tags;
    private final QuotaCheck quotas;
    private final DamagedContent damage;

    public Fsck(Database database, BlobStore store, TagCheck tags, QuotaCheck quotas) {
        this.database = database;
        this.store = store;
        this.tags = tags;
        this.quotas = quotas;
        this.damage = new DamagedContent(database);
    }

    /// Checks everything.
    @Override
    public void run(TaskRun run) {
        boolean wasDamaged = database.damage().fault().isPresent();
        if (database.dialect() == SqlDialect.SQLITE) {
            sqlite(run, true);
        }
        boolean named = database.damage().fault().isPresent();
        if (named && tables(database, run) == 0 && wasDamaged && !run.isDryRun()) {
            database.damage().repaired();
        }
        for (Rule rule : Rule.values()) {
            run.checkpoint();
            step(
                    "the rule " + rule,
                    run,
                    () -> settle(rule, database.snapshot(tx -> FsckRows.broken(tx, rule, 0, FOUND)), run));
        }
        step("the objects", run, () -> {
            for (var page = stored(0);
                    !page.isEmpty();
                    page = stored(page.getLast().id())) {
                run.checkpoint();
                objects(page, run);
            }
        });
        step("the tags", run, () -> latest(run));
        step("the usage", run, () -> usage(run));
        step("the names", run, () -> names(run));
        step("what waits to be pushed", run, () -> run.count("waitingForPush", database.read(FsckRows::waiting)));
        if (!named && database.damage().fault().isPresent()) { // PostgreSQL has no check of its own that finds it
            tables(database, run);
        }
    }

    /// Runs a part of the check. If the database is damaged, the others go on without it.
    private void step(String what, TaskRun run, Runnable part) {
        try {
            part.run();
        } catch (ProblemException e) {
            if (database.damage().fault().isEmpty()) {
                throw e;
            }
            report(run, what, UNCHECKED, null);
        }
    }

    private boolean isToRepair(TaskRun run) {
        return !run.isDryRun() && database.damage().fault().isEmpty();
    }

    private List<BlobRecord> stored(long after) {
        return database.read(tx -> FsckRows.stored(tx, after, PAGE));
    }

    /// Runs the checks at the start of a node, which take about a second: the newest rows, and some of the
    /// objects. Marks missing content as not trusted, but makes no other repairs.
    ///
    /// @param unclean whether the previous process was killed
    /// @return the findings, which are logged too
    public TaskRun.Report start(boolean unclean) {
        var run = new TaskRun(false);
        long end = System.nanoTime() + START_NANOS;
        if (unclean && database.dialect() == SqlDialect.SQLITE && database.read(FsckRows::sqliteSize) <= START_FILE) {
            sqlite(run, false);
        }
        for (Rule rule : Rule.values()) {
            if (System.nanoTime() < end) {
                for (Violation found : database.read(tx -> FsckRows.broken(tx, rule, START_ROWS, PAGE))) {
                    boolean mistrusted =
                            (rule == Rule.BLOB_CONTENT || rule == Rule.MANIFEST_CONTENT) && repair(rule, found) != null;
                    report(run, found.subject(), rule.broken(), mistrusted ? "no longer trusted" : null);
                }
            }
        }
        long highest = database.read(FsckRows::highestBlob);
        objects(stored(Math.max(0, highest - PAGE)), run);
        while (highest > PAGE && System.nanoTime() < end) {
            objects(stored(ThreadLocalRandom.current().nextLong(highest)), run);
        }
        var report = run.report();
        report.findings().stream()
                .limit(SHOWN)
                .forEach(found -> LOG.warn("found at the start: {}: {}", found.subject(), found.reason()));
        if (!report.findings().isEmpty()) {
            LOG.warn("stored data is damaged or inconsistent; run the task fsck to check all of it");
        }
        return report;
    }

    // --- the parts ---

    /// Checks a snapshot, because the check takes long and the database is in use.
    private void sqlite(TaskRun run, boolean thorough) {
        step("the file of the database", run, () -> {
            var faults = database.snapshot(tx -> FsckRows.sqliteFaults(tx, thorough));
            var search = faults.stream().filter(FsckRows::isOfSearch).toList();
            var others =
                    faults.stream().filter(fault -> !search.contains(fault)).toList();
            others.stream().findFirst().ifPresent(database.damage()::found);
            others.forEach(fault -> report(run, "the database", fault, null));
            search.forEach(fault -> report(run, "the search index", fault, rebuilt(run, thorough)));
        });
        step(
                "the foreign keys",
                run,
                () -> database.snapshot(FsckRows::sqliteKeys)
                        .forEach(key ->
                                report(run, "the database", "a foreign key points to a missing row: " + key, null)));
        run.count("databaseChecks", 1);
    }

    private @Nullable String rebuilt(TaskRun run, boolean thorough) {
        if (!thorough || !isToRepair(run)) {
            return null;
        }
        HubIndex.rebuild(database);
        return "it was built again";
    }

    /// Names the tables that cannot be read, and on SQLite also the indexes. Needs nothing but the database, so it
    /// works where a node cannot start.
    ///
    /// @return how many these are
    public static int tables(Database database, TaskRun run) {
        List<Part> parts;
        try {
            parts = database.snapshot(FsckRows::parts);
        } catch (ProblemException e) {
            if (database.damage().fault().isEmpty()) {
                throw e;
            }
            report(
                    run,
                    database.dialect() == SqlDialect.SQLITE ? "sqlite_schema" : "the list of tables",
                    "it is damaged, so no table can be read",
                    null);
            return 1;
        }
        var unreadable = unreadable(database, parts, run);
        unreadable.forEach(part -> report(run, part.name(), "a page of it is damaged or cannot be read", null));
        return unreadable.size();
    }

    /// On SQLite a transaction goes on after damage; on PostgreSQL each part needs its own.
    private static List<Part> unreadable(Database database, List<Part> parts, TaskRun run) {
        return database.dialect() == SqlDialect.SQLITE
                ? database.snapshot(tx -> parts.stream()
                        .filter(part -> !FsckRows.isReadable(tx, part, run::checkpoint))
                        .toList())
                : parts.stream()
                        .filter(part -> !database.snapshot(tx -> FsckRows.isReadable(tx, part, run::checkpoint)))
                        .toList();
    }

    private void settle(Rule rule, List<Violation> broken, TaskRun run) {
        run.count("rules", 1);
        for (Violation found : broken) {
            report(run, found.subject(), rule.broken(), isToRepair(run) ? repair(rule, found) : null);
        }
    }

    /// @param repair a description of the repair; null if nothing was repaired
    private static void report(TaskRun run, String subject, String fault, @Nullable String repair) {
        run.count(repair == null ? "found" : "repaired", 1);
        run.find(subject, repair == null ? fault : fault + "; " + repair);
    }

    private @Nullable String repair(Rule rule, Violation found) {
        return switch (rule) {
            case BLOB_CONTENT -> {
                var blob = database.read(tx -> FsckRows.blob(tx, found.id()));
                yield blob.isPresent() && damage.report(blob.get(), DamagedContent.MISSING)
                        ? "no longer trusted"
                        : null;
            }
            case MANIFEST_CONTENT -> {
                var manifest = database.read(tx -> FsckRows.manifest(tx, found.id()));
                yield manifest.isPresent() && damage.report(manifest.get()) ? "no longer trusted" : null;
            }
            case LIVE_OBJECT -> {
                database.write(tx -> {
                    FsckRows.keepObject(tx, found.id());
                    return found;
                });
                yield "removed from the queue";
            }
            case VERSION_WITHOUT_TAG -> {
                int colon = found.subject().indexOf(':');
                tags.repairVersion(
                        RepositoryName.parse(found.subject().substring(0, colon)),
                        Version.parse(found.subject().substring(colon + 1)));
                yield "the tag was set again";
            }
            case LINK, MANIFEST_BLOB, MANIFEST_CHILD, VERSION, VERSION_TAG, TAG, ASSET, ASSET_SIZE, WITHOUT_ASSETS ->
                null;
        };
    }

    private void objects(List<BlobRecord> page, TaskRun run) {
        var missing = page.stream()
                .filter(blob -> store.open(Objects.requireNonNull(blob.object()), blob.size())
                        .isEmpty())
                .toList();
        run.count("objects", page.size());
        if (missing.size() >= ALL_MISSING && missing.size() == page.size()) {
            report(
                    run,
                    "the blob store",
                    "none of " + page.size() + " objects exists there; check that the settings name the right store",
                    null);
            return;
        }
        for (BlobRecord blob : missing) {
            String digest = blob.digest().toString();
            if (!isToRepair(run)) {
                database.read(tx -> FsckRows.blob(tx, blob.id()))
                        .filter(blob::equals)
                        .ifPresent(still -> report(run, digest, DamagedContent.MISSING, null));
            } else if (damage.report(blob, DamagedContent.MISSING)) {
                report(run, digest, DamagedContent.MISSING, "no longer trusted");
            }
        }
    }

    private void usage(TaskRun run) {
        run.checkpoint();
        for (var wrong : quotas.recount(isToRepair(run))) {
            String fault = "its recorded usage is " + wrong.recorded() + ", but it uses " + wrong.counted();
            report(run, "organization " + wrong.handle(), fault, isToRepair(run) ? "the record was corrected" : null);
        }
    }

    /// Names the owners of names that were reserved later.
    private void names(TaskRun run) {
        run.checkpoint();
        database.read(tx -> Namespaces.owners(tx, ReservedNames.ofAddresses()).entrySet().stream()
                        .map(owned -> new Owned(
                                owned.getKey(),
                                OrganizationRows.find(tx, owned.getValue())
                                        .map(Organization::handle)
                                        .orElse("")))
                        .sorted(Comparator.comparing(Owned::name))
                        .toList())
                .forEach(owned -> report(
                        run,
                        "namespace " + owned.name() + " of organization " + owned.organization(),
                        "addresses of the registry begin with this name, which hide those of its bundles; they stay"
                                + " available below /v1 and /v2. Publish them in another namespace",
                        null));
    }

    private record Owned(Namespace name, String organization) {}

    private void latest(TaskRun run) {
        for (var looked = tags.latest(0, PAGE); looked.bundles() > 0; looked = tags.latest(looked.last(), PAGE)) {
            run.checkpoint();
            for (RepositoryName name : looked.wrong()) {
                if (isToRepair(run)) {
                    tags.repairLatest(name);
                }
                report(
                        run,
                        name + ":latest",
                        "the tag does not point to the highest version",
                        isToRepair(run) ? "it was moved there" : null);
            }
            run.count("bundles", looked.bundles());
        }
    }
}
