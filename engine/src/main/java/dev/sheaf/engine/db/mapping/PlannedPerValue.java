package dev.sheaf.engine.db.mapping;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.StatementCustomizer;
import org.postgresql.PGStatement;

/// Makes PostgreSQL plan a statement for its values at each run.
public final class PlannedPerValue implements StatementCustomizer {
    @Override
    public void beforeExecution(PreparedStatement statement, StatementContext context) throws SQLException {
        if (statement.isWrapperFor(PGStatement.class)) {
            statement.unwrap(PGStatement.class).setPrepareThreshold(0);
        }
    }
}
