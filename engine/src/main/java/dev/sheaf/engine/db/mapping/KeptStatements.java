package dev.sheaf.engine.db.mapping;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jdbi.v3.core.statement.DefaultStatementBuilder;
import org.jdbi.v3.core.statement.StatementContext;

/// Caches the most recently used statements of one connection: SQLite takes longer to parse and plan a short
/// statement than to run it. A running statement is not handed out a second time. Bound to the thread of its
/// connection.
public class KeptStatements extends DefaultStatementBuilder {
    private static final int MAX = 256;
    private static final int MAX_LENGTH = 4_000; // in characters; statements with many values rarely repeat

    // the most recently used is last
    private final LinkedHashMap<String, PreparedStatement> idle = new LinkedHashMap<>();

    private final Map<Statement, String> running = new IdentityHashMap<>(); // with their SQLite texts

    @Override
    public PreparedStatement create(Connection connection, String sql, StatementContext context) throws SQLException {
        var kept = idle.remove(sql);
        var statement = kept != null && !kept.isClosed() ? kept : super.create(connection, sql, context);
        running.put(statement, sql);
        return statement;
    }

    @Override
    public void close(Connection connection, String written, Statement statement) throws SQLException {
        String sql = running.remove(statement);
        if (sql == null || sql.length() > MAX_LENGTH || statement.isClosed()) {
            statement.close();
            return;
        }
        var done = (PreparedStatement) statement;
        done.clearParameters(); // the bound values may be large
        var other = idle.put(sql, done);
        if (other != null) {
            other.close();
        }
        if (idle.size() > MAX) {
            idle.pollFirstEntry().getValue().close();
        }
    }

    @Override
    public void close(Connection connection) {
        idle.clear(); // they are closed with their connection
    }
}
