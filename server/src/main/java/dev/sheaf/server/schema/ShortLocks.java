package dev.sheaf.server.schema;

import java.sql.SQLException;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/// Lets a migration on PostgreSQL wait only shortly for a table: everybody else who needs the table waits behind it for
/// as long. For its transaction alone, because a pooler may give the session to others.
final class ShortLocks implements Callback {
    private static final String WAIT = "SET LOCAL lock_timeout = '3s'";

    @Override
    public boolean supports(Event event, Context context) {
        return event == Event.BEFORE_EACH_MIGRATE;
    }

    @Override
    public boolean canHandleInTransaction(Event event, Context context) {
        return true;
    }

    @Override
    public void handle(Event event, Context context) {
        try (var statement = context.getConnection().createStatement()) {
            statement.execute(WAIT);
        } catch (SQLException e) {
            throw new FlywayException(e);
        }
    }

    @Override
    public String getCallbackName() {
        return "short-locks";
    }
}
