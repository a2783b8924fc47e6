package dev.sheaf.server.db;

import java.sql.SQLException;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;

/// Rows that say what their transaction changed, see [PostgresChanges].
final class Announcements {
    private Announcements() {}

    static void insert(Handle handle, List<Change> changes) {
        if (changes.isEmpty()) {
            return;
        }
        var connection = handle.getConnection();
        try (var statement = connection.prepareStatement("INSERT INTO announcement (change) SELECT unnest(?)")) {
            var texts = changes.stream().map(Change::encode).distinct().toArray();
            statement.setArray(1, connection.createArrayOf("text", texts));
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new UnableToExecuteStatementException(e, null);
        }
    }
}
