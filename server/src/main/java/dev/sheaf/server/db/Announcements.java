package dev.sheaf.server.db;

import java.util.List;

/// Rows that say what their transaction changed, see [PostgresChanges].
final class Announcements {
    private Announcements() {}

    static void insert(Tx tx, List<Change> changes) {
        if (!changes.isEmpty()) {
            var texts = changes.stream().map(Change::encode).distinct().toArray(String[]::new);
            tx.later("INSERT INTO announcement (change) SELECT unnest(:changes)", "changes", texts);
        }
    }
}
