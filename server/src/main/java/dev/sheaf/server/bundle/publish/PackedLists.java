package dev.sheaf.server.bundle.publish;

import dev.sheaf.model.archive.PackedFile;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.db.Database;
import java.util.List;

/// What was found in the layers of versions. Thread-safe.
public final class PackedLists {
    private final Database database;

    public PackedLists(Database database) {
        this.database = database;
    }

    /// The files in the one asset of a version; none where it has more assets, or is no archive that was listed.
    public List<PackedFile> of(Snapshot.Resolved version) {
        return version.assets().size() == 1
                ? database.read(tx -> PackedRows.list(tx, version.version().id()))
                : List.of();
    }
}
