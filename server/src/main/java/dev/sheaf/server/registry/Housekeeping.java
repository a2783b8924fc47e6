package dev.sheaf.server.registry;

import dev.sheaf.server.blob.BlobStore;
import dev.sheaf.server.blob.DraftId;
import dev.sheaf.server.blob.ObjectId;
import dev.sheaf.server.db.Database;

/// Ends expired uploads and removes bytes that nothing needs any more. Any number of nodes may run it at the same
/// time.
public final class Housekeeping {
    private static final int BATCH = 100;

    private final Database database;
    private final BlobStore store;
    private final Uploads uploads;

    public Housekeeping(Database database, BlobStore store, Uploads uploads) {
        this.database = database;
        this.store = store;
        this.uploads = uploads;
    }

    /// Does what is due now.
    public void run() {
        int expired = 1;
        while (expired > 0) {
            expired = uploads.expire();
        }
        int removed = 1;
        while (removed > 0) {
            removed = removeDue();
        }
    }

    /// Bytes go first and their entries after: whoever dies in between leaves entries whose removal does nothing.
    private int removeDue() {
        var due = database.read(tx -> DeletionRows.due(tx, BATCH));
        for (var entry : due) {
            if (entry.isDraft()) {
                store.abort(DraftId.parse(entry.id()));
            } else {
                store.delete(ObjectId.parse(entry.id()));
            }
        }
        if (!due.isEmpty()) {
            database.write(tx -> {
                DeletionRows.done(tx, due);
                return due.size();
            });
        }
        return due.size();
    }
}
