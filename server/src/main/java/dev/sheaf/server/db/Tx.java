package dev.sheaf.server.db;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.StatementCustomizer;
import org.postgresql.PGStatement;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// A transaction in progress, handed to `…Rows`. Bound to its thread; of no use after the work has returned.
public final class Tx {
    private static final String FOREIGN_KEY = "23503";

    private final Handle handle;
    private final Dialect dialect;
    private final Instant now;
    private final List<Change> changes = new ArrayList<>();
    private final Map<Class<?>, Gathering> gatherings = new LinkedHashMap<>();

    Tx(Handle handle, Dialect dialect, Instant now) {
        this.handle = handle;
        this.dialect = dialect;
        this.now = now;
    }

    public Handle handle() {
        return handle;
    }

    public Dialect dialect() {
        return dialect;
    }

    /// The database's time, in whole milliseconds, the same throughout the transaction.
    public Instant now() {
        return now;
    }

    /// Has the statement planned for the values that it is given, each time that it runs. PostgreSQL else keeps a
    /// plan for any values after a few uses, which knows nothing of how much a search finds.
    public <S extends SqlStatement<S>> S planned(S statement) {
        return dialect == Dialect.SQLITE
                ? statement
                : statement.addCustomizer(new StatementCustomizer() {
                    @Override
                    public void beforeExecution(PreparedStatement prepared, StatementContext context)
                            throws SQLException {
                        prepared.unwrap(PGStatement.class).setPrepareThreshold(0);
                    }
                });
    }

    /// Says that something cached has changed: once the transaction has committed, every node drops what it holds
    /// of it; this node before the write returns, others within a second.
    public void changed(Change change) {
        changes.add(change);
    }

    /// Runs a part of the work that a foreign key may forbid: it then did nothing, and the transaction goes on.
    ///
    /// @return whether it was done
    public boolean attempt(Runnable part) {
        handle.execute("SAVEPOINT attempt");
        var gathered = new LinkedHashMap<Class<?>, Gathering>();
        gatherings.forEach((kind, gathering) -> gathered.put(kind, gathering.copy()));
        try {
            part.run();
        } catch (JdbiException e) {
            if (!isForbidden(e)) {
                throw e;
            }
            handle.execute("ROLLBACK TO attempt");
            handle.execute("RELEASE attempt");
            gatherings.clear();
            gatherings.putAll(gathered);
            return false;
        }
        handle.execute("RELEASE attempt");
        return true;
    }

    private static boolean isForbidden(JdbiException e) {
        return e.getCause() instanceof SQLException cause
                && (FOREIGN_KEY.equals(cause.getSQLState())
                        || cause instanceof SQLiteException lite
                                && lite.getResultCode() == SQLiteErrorCode.SQLITE_CONSTRAINT_FOREIGNKEY);
    }

    /// What is gathered over a transaction and settled at its end: inside it, after the work and before the commit.
    /// What [#settle] throws undoes the transaction.
    public interface Gathering {
        void settle(Tx tx);

        /// What is gathered so far, to go back to.
        Gathering copy();
    }

    /// This transaction's one gathering of that kind; `first` makes it.
    public <G extends Gathering> G gather(Class<G> kind, Supplier<G> first) {
        return kind.cast(gatherings.computeIfAbsent(kind, missing -> first.get()));
    }

    void settle() {
        gatherings.values().forEach(gathering -> gathering.settle(this));
    }

    List<Change> changes() {
        return changes;
    }
}
