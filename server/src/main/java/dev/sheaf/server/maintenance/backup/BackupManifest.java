package dev.sheaf.server.maintenance.backup;

import static java.util.Objects.requireNonNull;

import dev.sheaf.server.auth.secret.MasterSecret;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The description of a backup, in `backup.json`. This file is written last.
///
/// @param format the version of the format of the backup's files
/// @param schema the schema version of the tables
/// @param sheaf the version of the program that wrote the backup
/// @param engine the database engine of the backed-up installation, for people
/// @param takenAt the moment of the state that the backup contains (RFC 3339)
/// @param tables a file for each table, in an order in which they can be restored
/// @param objects the list of the objects in the shared directory
/// @param salvaged the tables of which rows are missing, because the database was damaged; null for a usual backup
public record BackupManifest(
        int format,
        String schema,
        String sheaf,
        String engine,
        String takenAt,
        List<TableFile> tables,
        KeptObjects objects,
        @Nullable List<String> salvaged) {
    static final int FORMAT = 1;
    static final String NAME = "backup.json";
    /// The file with the seal. It proves that a node of the installation wrote `backup.json` with its hashes.
    static final String SEAL = "backup.json.seal";

    static String seal(MasterSecret master, byte[] text) {
        return master.seal("backup/1", text);
    }

    /// Errors name the table and the version, so they may be no other text.
    private static final Pattern TABLE = Pattern.compile("[a-z0-9_]{1,100}");

    private static final Pattern VERSION = Pattern.compile("[0-9A-Za-z.+-]{1,50}");

    /// @throws RuntimeException if a part is missing, or is none that this program writes
    public BackupManifest {
        requireNonNull(objects);
        tables = List.copyOf(tables);
        salvaged = salvaged == null ? null : List.copyOf(salvaged);
        if (!VERSION.matcher(sheaf).matches()
                || (salvaged != null && !salvaged.stream().allMatch(TABLE.asMatchPredicate()))) {
            throw new IllegalArgumentException("not of a backup");
        }
    }

    /// A file with its hash, to detect damage.
    ///
    /// @param name the path below the backup's directory
    /// @param bytes the length of the file
    /// @param sha256 the hash in hex
    public record ListedFile(String name, long bytes, String sha256) {
        public ListedFile {
            requireNonNull(name);
            requireNonNull(sha256);
        }
    }

    /// The rows of a table.
    public record TableFile(String table, long rows, ListedFile file) {
        public TableFile {
            if (!TABLE.matcher(table).matches() || rows < 0) {
                throw new IllegalArgumentException("not a table of a backup");
            }
            requireNonNull(file);
        }
    }

    /// The content from the blob store.
    ///
    /// @param count the number of digests in the backup
    /// @param bytes the sum of their lengths
    /// @param damaged how many objects are missing or damaged in the store, and so not in the backup
    public record KeptObjects(long count, long bytes, long damaged, ListedFile file) {
        public KeptObjects {
            requireNonNull(file);
        }
    }

    Optional<TableFile> table(String name) {
        return tables.stream().filter(table -> table.table().equals(name)).findFirst();
    }
}
