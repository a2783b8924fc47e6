package dev.sheaf.server.maintenance.backup;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TableCopy;
import dev.sheaf.engine.db.TableInfo;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.work.Task;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.event.FeedEpochs;
import dev.sheaf.server.hub.HubIndex;
import dev.sheaf.server.maintenance.ReadOnlyMode;
import dev.sheaf.server.org.OrganizationRows;
import dev.sheaf.server.registry.content.StoreOwner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Restores a backup into a new installation, with either engine and either store. The backed-up installation
/// may have used other ones. The new installation must be empty, and no node of it may serve during the
/// restore. A dry run checks every byte of the backup.
///
/// Everything is checked before anything is written. An installation with an unfinished restore does not start
/// ([#isUnfinished]). If the restore is run again, it begins from scratch.
public final class Restore implements Task {
    private static final Logger LOG = LoggerFactory.getLogger(Restore.class);
    private static final int ROWS_AT_ONCE = 200;
    private static final long BYTES_AT_ONCE = 8 << 20;

    private final Target target;
    private final MasterSecret master;
    private final Path backup;
    private final Leniency leniency;

    /// The storage of the new installation. Nothing is written to it before [#open].
    public interface Target {
        /// Returns an empty database with the schema of this program.
        Database schema();

        /// Returns the result of a query that counts rows in the existing database; 0 if it has no tables yet.
        long count(String query);

        /// Opens database and store for writing, and creates them if they are missing.
        Destination open();
    }

    /// The database and store that a restore writes to.
    public record Destination(Database database, BlobStore store) {}

    /// Faults that a restore accepts.
    ///
    /// @param damaged whether it accepts damaged objects in the backup; their blobs then wait for a new upload,
    /// like blobs that are damaged in the store
    /// @param unsealed whether it accepts a backup without a seal that proves its origin
    public record Leniency(boolean damaged, boolean unsealed) {
        public static final Leniency NONE = new Leniency(false, false);
    }

    /// @param master the secret with which the installation will run; it must be the secret of the backed-up
    /// installation, or no API key would work
    /// @param backup the directory of one backup; its parent also contains `objects/`
    public Restore(Target target, MasterSecret master, Path backup, Leniency leniency) {
        this.target = target;
        this.master = master;
        this.backup = real(backup);
        this.leniency = leniency;
    }

    /// The operator may name a link. Links in the backup are refused.
    private static Path real(Path backup) {
        try {
            return backup.toRealPath();
        } catch (IOException e) {
            return backup.toAbsolutePath().normalize(); // opening it reports the reason
        }
    }

    /// Returns whether a restore into this installation has begun and not ended.
    public static boolean isUnfinished(Database database) {
        return database.read(BackupRows::isRestoring);
    }

    /// @throws dev.sheaf.model.ProblemException conflict if the backup is damaged or does not fit the
    /// installation
    @Override
    public void run(TaskRun run) {
        var check = new RestoreCheck(backup);
        seal(check, run);
        var manifest = check.manifest();
        long rows = manifest.tables().stream()
                .mapToLong(BackupManifest.TableFile::rows)
                .sum();
        run.expect(manifest.objects().count() + (run.isDryRun() ? 0 : rows), "objects and rows");
        check.tables(run);
        int damaged = check.objects(run, leniency.damaged());
        var tables = fit(manifest);
        if (run.isDryRun()) {
            run.find(backup.toString(), "is complete, and can be restored here");
            run.count("objects", manifest.objects().count() - damaged);
            run.count("rows", rows);
        } else {
            write(manifest, tables, target.open(), run);
        }
        var lost = manifest.salvaged();
        if (lost != null) {
            run.find(
                    "the backup",
                    "was saved from a damaged database, and rows are missing in "
                            + (lost.isEmpty() ? "no table" : String.join(", ", lost))
                            + "; run the task fsck when a node runs");
        }
        if (isReadOnly(manifest)) {
            run.find(
                    "the restored installation",
                    "is read-only, as the other one was during the backup; when a node runs: sheaf admin mode writable");
        }
    }

    private boolean isReadOnly(BackupManifest manifest) {
        var found = new AtomicBoolean();
        manifest.table("setting")
                .ifPresent(setting ->
                        JsonLines.read(backup.resolve(setting.file().name()), row -> {
                            if (ReadOnlyMode.isReadOnly(
                                    String.valueOf(row.get("name")), String.valueOf(row.get("value")))) {
                                found.set(true);
                            }
                        }));
        return found.get();
    }

    private void write(BackupManifest manifest, List<TableInfo> tables, Destination destination, TaskRun run) {
        var database = destination.database();
        begin(database, tables);
        for (TableInfo table : tables) {
            var file = manifest.table(table.name());
            if (file.isPresent()) {
                fill(table, file.get().file(), new Filling(destination, manifest.salvaged() != null), run);
            }
        }
        var lost = manifest.salvaged();
        if (lost != null && lost.contains("asset")) {
            int assets = LostAssets.add(database);
            run.find("table asset", assets + " lost rows are read again from the manifests of their versions");
        }
        HubIndex.rebuild(database);
        StoreOwner.restored(database, destination.store());
        database.write(tx -> {
            tables.forEach(table -> TableCopy.countOn(tx, table));
            FeedEpochs.restored(tx);
            BackupRows.endRestoring(tx);
            return tables;
        });
        nameFirst(database, manifest, run);
        LOG.info("restored {}", backup);
    }

    /// Notes the first organization again if its note is lost: its administrators are those of the installation. It is
    /// the oldest; but if organizations are lost, the oldest that is left may be another one.
    private static void nameFirst(Database database, BackupManifest manifest, TaskRun run) {
        var lost = manifest.salvaged();
        if (lost == null
                || !lost.contains("setting")
                || database.read(OrganizationRows::first).isPresent()) {
            return;
        }
        if (lost.contains("organization")) {
            run.find("the restored installation", "has lost which organization is the first, so nobody administers it");
        } else {
            database.write(OrganizationRows::noteOldestAsFirst);
        }
    }

    // --- before anything is written ---

    private void seal(RestoreCheck check, TaskRun run) {
        var doubt = check.unsealed(master);
        if (doubt.isPresent() && !leniency.unsealed()) {
            throw BackupErrors.backup("the backup cannot be trusted: " + doubt.get());
        }
        doubt.ifPresent(why -> run.find(backup.toString(), why));
    }

    private List<TableInfo> fit(BackupManifest manifest) {
        String schema = target.schema().read(TableCopy::schema);
        if (number(manifest.schema()) > number(schema)) {
            throw BackupErrors.backup("the backup has schema version " + manifest.schema() + ", and this program "
                    + schema + "; restore it with Sheaf " + manifest.sheaf() + ", or a newer one");
        }
        var tables = target.schema().read(BackupRows::tables);
        var names = new HashSet<String>();
        tables.forEach(table -> names.add(table.name()));
        manifest.tables().stream()
                .filter(table -> !names.contains(table.table()))
                .findAny()
                .ifPresent(table -> {
                    throw BackupErrors.backup("this program does not know the table " + table.table()
                            + "; restore with Sheaf " + manifest.sheaf());
                });
        checkMaster(manifest);
        tables.forEach(table -> manifest.table(table.name()).ifPresent(file -> checkColumns(table, file)));
        requireEmpty(target.count(BackupRows.IN_THE_WAY));
        return tables;
    }

    private static void requireEmpty(long inTheWay) {
        if (inTheWay > 0) {
            throw BackupErrors.backup(
                    "this installation is not empty; restore into a new data directory or a new database,"
                            + " before the first start there");
        }
    }

    private void checkColumns(TableInfo table, BackupManifest.TableFile listed) {
        Path file = backup.resolve(listed.file().name());
        var columns = new HashSet<>(table.columns());
        JsonLines.read(file, row -> {
            if (!columns.containsAll(row.keySet())) {
                throw BackupErrors.backup(file + " has columns that the table " + table.name() + " does not have");
            }
        });
    }

    private static int number(String schema) {
        try {
            return Integer.parseInt(schema);
        } catch (NumberFormatException e) {
            throw BackupErrors.backup("the schema version of the backup is not a number; choose another backup");
        }
    }

    private void checkMaster(BackupManifest manifest) {
        var setting = manifest.table("setting").orElseThrow(() -> BackupErrors.backup("the backup has no settings"));
        JsonLines.read(backup.resolve(setting.file().name()), row -> {
            if ("master-key".equals(row.get("name")) && !master.fingerprint().equals(row.get("value"))) {
                throw BackupErrors.backup("the backup was made with a different master key, so no API key would work"
                        + " here; give this installation the master-key of the other one first (SHEAF_MASTER_KEY, or"
                        + " secrets/master-key in its data directory)");
            }
        });
    }

    /// Begins to write. From now on the installation does not start until the restore has ended. Deletes rows
    /// of an earlier attempt. The collector later removes its objects, because no row names them.
    private void begin(Database database, List<TableInfo> tables) {
        database.write(tx -> {
            requireEmpty(BackupRows.inTheWay(tx)); // a node may have started since the first check
            tables.reversed().forEach(table -> TableCopy.clear(tx, table));
            BackupRows.beginRestoring(tx, backup.getFileName().toString());
            return tables;
        });
    }

    // --- writing ---

    /// Hashes again what it reads: the check of all objects before may have taken hours.
    private void fill(TableInfo table, BackupManifest.ListedFile file, Filling to, TaskRun run) {
        var waiting = new ArrayList<Map<String, Object>>();
        var bytes = new long[1];
        JsonLines.read(backup.resolve(file.name()), file.sha256(), row -> {
            waiting.add(row);
            bytes[0] += weight(row);
            if (waiting.size() == ROWS_AT_ONCE || bytes[0] > BYTES_AT_ONCE) {
                insert(table, waiting, to, run);
                bytes[0] = 0;
            }
        });
        insert(table, waiting, to, run);
    }

    /// Where rows go.
    ///
    /// @param hasGaps whether rows may need others that are lost; they are then left out
    private record Filling(Destination destination, boolean hasGaps) {}

    /// Returns the number of rows that were left out.
    private static int insert(Tx tx, TableInfo table, List<Map<String, Object>> rows, boolean hasGaps) {
        if (!hasGaps) {
            TableCopy.insert(tx, table, rows);
            return 0;
        }
        int left = 0;
        for (var row : rows) {
            left += tx.attempt(() -> TableCopy.insert(tx, table, List.of(row))) ? 0 : 1;
        }
        return left;
    }

    /// Returns the number of rows that were left out.
    ///
    /// @throws dev.sheaf.model.ProblemException conflict if they break a rule of the database, such as rows that
    /// somebody wrote into a backup without a seal
    private static int inserted(TableInfo table, List<Map<String, Object>> rows, Filling to) {
        try {
            return to.destination().database().write(tx -> insert(tx, table, rows, to.hasGaps()));
        } catch (ProblemException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.warn("rows of the table {} cannot be restored: {}", table.name(), e.getMessage());
            throw BackupErrors.backup(
                    "the backup has rows of the table " + table.name() + " that the database refuses,"
                            + " so the restore is not finished and the installation does not start; restore another backup into it");
        }
    }

    private static long weight(Map<String, Object> row) {
        return row.values().stream()
                .mapToLong(value -> value instanceof byte[] content ? content.length : 0)
                .sum();
    }

    private void insert(TableInfo table, List<Map<String, Object>> waiting, Filling to, TaskRun run) {
        run.checkpoint();
        if (!waiting.isEmpty()) {
            var rows = table.name().equals(ObjectCopies.TABLE)
                    ? new RestoredObjects(backup, to.destination().store()).named(waiting, run)
                    : List.copyOf(waiting);
            int left = inserted(table, rows, to);
            run.count("rows", rows.size() - left);
            if (left > 0) {
                run.count("rowsLeftOut", left);
                run.find("table " + table.name(), left + " rows are left out, because rows that they need are lost");
            }
            run.advance(rows.size());
            waiting.clear();
        }
    }
}
