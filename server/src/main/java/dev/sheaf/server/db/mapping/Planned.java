package dev.sheaf.server.db.mapping;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.StatementCustomizer;
import org.postgresql.PGStatement;

/// Has PostgreSQL plan a statement for its values each time.
public final class Planned implements StatementCustomizer {
    @Override
    public void beforeExecution(PreparedStatement statement, StatementContext context) throws SQLException {
        if (statement.isWrapperFor(PGStatement.class)) {
            statement.unwrap(PGStatement.class).setPrepareThreshold(0);
        }
    }
}
