package dev.sheaf.server.audit;

import dev.sheaf.engine.db.Database;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the audit log. Thread-safe.
public final class AuditLog {
    private static final int FETCHED = 500;

    private final Database database;

    public AuditLog(Database database) {
        this.database = database;
    }

    /// Returns a page, newest first.
    ///
    /// @param before only entries older than the one with this id; null for the first page
    public List<AuditRow> page(AuditFilter filter, @Nullable String before, int limit) {
        return database.read(tx -> AuditRows.list(tx, filter, before, true, limit));
    }

    /// Passes all entries to `to`, oldest first. They are read in batches, not in one snapshot.
    public void export(AuditFilter filter, Consumer<AuditRow> to) {
        String edge = null;
        List<AuditRow> rows;
        do {
            String from = edge;
            rows = database.read(tx -> AuditRows.list(tx, filter, from, false, FETCHED));
            rows.forEach(to);
            edge = rows.isEmpty() ? from : rows.getLast().id().toString();
        } while (rows.size() == FETCHED);
    }
}
