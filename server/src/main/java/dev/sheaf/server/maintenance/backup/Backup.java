package dev.sheaf.server.maintenance.backup;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.blob.PrivateFiles;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.DatabaseDamage;
import dev.sheaf.engine.db.TableCopy;
import dev.sheaf.engine.db.TableInfo;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.work.Task;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.maintenance.backup.BackupManifest.KeptObjects;
import dev.sheaf.server.maintenance.backup.BackupManifest.TableFile;
import dev.sheaf.server.schema.Migrations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Copies the installation into a directory while it serves requests: first a snapshot of all tables, then the
/// content that they name, except content that the directory already contains. The format is the same for both
/// database engines and both stores, and can be restored to any of them.
///
/// Content that is deleted during the backup stays in the store for the grace period of deletions, so a backup
/// must not take longer than that. The backup does not contain the master key. An unfinished backup does not
/// count, and earlier backups are unchanged.
public final class Backup implements Task {
    static final String OBJECTS = "objects.jsonl";
    static final String UNFINISHED = ".new";
    private static final Logger LOG = LoggerFactory.getLogger(Backup.class);
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss.SSS'Z'").withZone(ZoneOffset.UTC);
    private static final int ROWS_BETWEEN_CHECKPOINTS = 1_000;

    private final Database database;
    private final MasterSecret master;
    private final ObjectCopies copies;
    private final BackupFolder folder;
    private final int keep;
    private final boolean salvage;

    /// @param folder the directory of all backups; created if it is missing
    /// @param master the secret that seals the backup
    /// @param keep how many backups are kept at the end, including the new one; 0 for all
    public Backup(Database database, BlobStore store, MasterSecret master, Path folder, int keep) {
        this(database, store, master, folder, keep, false);
    }

    private Backup(Database database, BlobStore store, MasterSecret master, Path folder, int keep, boolean salvage) {
        this.database = database;
        this.master = master;
        this.folder = new BackupFolder(folder);
        this.copies = new ObjectCopies(database, store, this.folder.objects());
        this.keep = keep;
        this.salvage = salvage;
    }

    /// Returns a backup of what can be read of a damaged SQLite database. It names what is lost, and removes no other
    /// backup.
    public static Backup salvage(Database database, BlobStore store, MasterSecret master, Path folder) {
        return new Backup(database, store, master, folder, 0, true);
    }

    /// The tables at one moment.
    ///
    /// @param lost the tables of which rows could not be read
    private record Snapshot(String schema, Instant takenAt, List<TableFile> tables, List<String> lost) {}

    @Override
    public void run(TaskRun run) {
        try {
            if (run.isDryRun()) {
                look(run);
            } else {
                var lock = folder.lock();
                try {
                    write(run);
                } finally {
                    lock.close();
                }
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.error("the backup to {} failed: {}", folder.root(), e.toString());
            LOG.debug("where it failed", e);
            throw new Problem.Unavailable("the backup to " + folder.root() + " failed: " + e.getMessage(), 60).raise();
        }
    }

    /// Counts the rows and objects that a backup would copy.
    private void look(TaskRun run) {
        database.snapshot(tx -> {
            for (TableInfo table : BackupRows.tables(tx)) {
                run.count("rows", TableCopy.count(tx, table));
                if (table.name().equals(ObjectCopies.TABLE)) {
                    TableCopy.each(tx, table, row -> copies.look(row, run));
                }
                run.checkpoint();
            }
            return run;
        });
    }

    private void write(TaskRun run) throws IOException {
        PrivateFiles.folder(folder.objects());
        Path begun = folder.begin(NAME.format(database.now()));
        PrivateFiles.folder(begun.resolve("tables"));
        var snapshot = snapshot(begun, run);
        BackupFolder.sync(begun.resolve("tables"));
        var objects = objects(begun, run);
        manifest(begun, snapshot, objects);
        Path finished = folder.finish(begun);
        run.find(finished.toString(), salvage ? "is the backup of what could be read" : "is the new, complete backup");
        if (keep > 0) {
            var pruned = folder.prune(keep);
            run.count("backupsRemoved", pruned.backups());
            run.count("objectsRemoved", pruned.objects());
        }
    }

    private Snapshot snapshot(Path begun, TaskRun run) {
        try {
            return database.snapshot(tx -> tables(tx, begun, run));
        } catch (ProblemException e) {
            if (!salvage || database.damage().fault().isEmpty()) {
                throw e;
            }
            throw BackupErrors.backup(
                    "the list of tables (sqlite_schema) is damaged, and without it no row can be found,"
                            + " so nothing can be saved; restore the latest backup");
        }
    }

    private Snapshot tables(Tx tx, Path begun, TaskRun run) {
        var files = new ArrayList<TableFile>();
        var lost = new ArrayList<String>();
        String schema = schema(tx);
        for (TableInfo table : BackupRows.tables(tx)) {
            try (var writer = new JsonLines.Writer(begun, "tables/" + table.name() + ".jsonl")) {
                var indexed = new IndexedRows(tx);
                Consumer<Map<String, Object>> kept = row -> {
                    writer.write(row);
                    if (writer.rows() % ROWS_BETWEEN_CHECKPOINTS == 0) {
                        run.checkpoint();
                    }
                };
                if (!salvage) {
                    TableCopy.each(tx, table, kept);
                } else if (!TableCopy.salvage(tx, table, row -> {
                    indexed.saw(table.name(), row);
                    kept.accept(row);
                })) {
                    lost.add(table.name());
                    run.count("tablesWithLosses", 1);
                    run.find("table " + table.name(), losses(writer.rows(), indexed.recover(table.name(), kept)));
                }
                files.add(new TableFile(table.name(), writer.rows(), writer.finish()));
                run.count("rows", writer.rows());
            }
            run.checkpoint();
        }
        return new Snapshot(schema, tx.now(), files, lost);
    }

    private static String losses(long saved, int recovered) {
        return recovered == 0
                ? saved + " rows are saved, and others are lost: their pages are damaged"
                : saved + " rows are saved, and " + recovered + " of others in part, from the indexes: their pages are"
                        + " damaged; look at names and quotas, and at what is public";
    }

    private String schema(Tx tx) {
        try {
            return TableCopy.schema(tx);
        } catch (RuntimeException e) {
            if (salvage && DatabaseDamage.isCauseOf(e)) {
                return Migrations.newest(); // the table with the number is damaged, too
            }
            throw e;
        }
    }

    private KeptObjects objects(Path begun, TaskRun run) throws IOException {
        var rows = begun.resolve("tables").resolve(ObjectCopies.TABLE + ".jsonl");
        var total = new long[1];
        JsonLines.read(rows, row -> total[0] += ObjectCopies.isStored(row) ? 1 : 0);
        run.expect(total[0], "objects");
        try (var writer = new JsonLines.Writer(begun, OBJECTS);
                var batch = copies.batch(writer, run)) {
            JsonLines.read(rows, batch::add);
            batch.flush();
            copies.sync();
            return new KeptObjects(writer.rows(), batch.bytes(), batch.damaged(), writer.finish());
        }
    }

    private void manifest(Path begun, Snapshot snapshot, KeptObjects objects) throws IOException {
        var manifest = new BackupManifest(
                BackupManifest.FORMAT,
                snapshot.schema(),
                Objects.requireNonNullElse(Backup.class.getPackage().getImplementationVersion(), "development"),
                database.dialect().name().toLowerCase(Locale.ROOT),
                snapshot.takenAt().toString(),
                snapshot.tables(),
                objects,
                salvage ? snapshot.lost() : null);
        byte[] text = JsonLines.JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(manifest);
        write(
                begun.resolve(BackupManifest.SEAL),
                BackupManifest.seal(master, text).getBytes(StandardCharsets.US_ASCII));
        write(begun.resolve(BackupManifest.NAME), text);
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        try (var channel = PrivateFiles.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            var rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
    }

    /// Returns a row of the list of objects.
    static Map<String, Object> listed(Digest digest, long size) {
        return Map.of("digest", digest.toString(), "size", size);
    }
}
