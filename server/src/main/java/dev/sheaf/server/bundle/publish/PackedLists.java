package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.archive.PackedFile;
import dev.sheaf.server.bundle.BundleSnapshot;
import java.util.List;

/// Reads the lists of files in the layers of versions. Thread-safe.
public final class PackedLists {
    private final Database database;

    public PackedLists(Database database) {
        this.database = database;
    }

    /// Returns the files in the only asset of a version; empty if it has several assets, or is not an archive that
    /// was listed.
    public List<PackedFile> of(BundleSnapshot.Resolved version) {
        return version.assets().size() == 1
                ? database.read(tx -> PackedRows.list(tx, version.version().id()))
                : List.of();
    }
}
