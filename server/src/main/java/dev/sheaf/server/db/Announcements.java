package dev.sheaf.server.db;

import java.util.List;

/// Rows that record what their transaction changed; see [PostgresChanges].
final class Announcements {
    private Announcements() {}

    static void insert(Tx tx, List<Change> changes) {
        changes.stream()
                .map(Change::encode)
                .distinct()
                .forEach(text -> tx.later("INSERT INTO announcement (change) VALUES (:change)", "change", text));
    }
}
