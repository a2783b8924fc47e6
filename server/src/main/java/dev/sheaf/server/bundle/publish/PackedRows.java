package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.archive.PackedFile;
import java.util.List;
import java.util.UUID;

/// The rows of files in the layers of versions.
public final class PackedRows {
    private PackedRows() {}

    static void insert(Tx tx, UUID versionId, List<PackedFile> files) {
        tx.laterEach("""
                INSERT INTO packed_file (version_id, path, mode, digest, size)
                VALUES (:version, :path, :mode, :digest, :size)
                """, files, "version", versionId);
    }

    /// Returns the files by path.
    public static List<PackedFile> list(Tx tx, UUID versionId) {
        return tx.list(
                "SELECT path, mode, digest, size FROM packed_file WHERE version_id = :version ORDER BY path",
                PackedFile.class,
                "version",
                versionId);
    }
}
