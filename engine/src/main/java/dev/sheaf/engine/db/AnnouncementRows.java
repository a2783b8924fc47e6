package dev.sheaf.engine.db;

import java.util.List;

/// Rows that record what their transaction changed; see [PostgresChanges].
final class AnnouncementRows {
    private AnnouncementRows() {}

    static void insert(Tx tx, List<DataChange> changes) {
        changes.stream()
                .map(DataChange::encode)
                .distinct()
                .forEach(text -> tx.later("INSERT INTO announcement (change) VALUES (:change)", "change", text));
    }
}
