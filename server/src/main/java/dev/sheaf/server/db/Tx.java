package dev.sheaf.server.db;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.StatementCustomizer;
import org.jspecify.annotations.Nullable;
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

    // --- statements ---
    //
    // Values are given as name, value, name, value…; a collection stands for `<name>` in the text, and each entry of
    // it is one value. A record in place of a name gives all its components, by their names. The text is a constant of
    // the program: nothing that came from outside is ever part of it.

    /// Reads one row.
    public interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /// The rows of a query, in its order.
    public <T> List<T> list(String sql, Reader<T> reader, @Nullable Object... values) {
        return bound(handle.createQuery(sql), values)
                .map((row, context) -> reader.read(row))
                .list();
    }

    /// The values of a query's one column, none of which is null; or its rows, where the type is a record with a
    /// component for each column.
    public <T> List<T> list(String sql, Class<T> type, @Nullable Object... values) {
        return bound(handle.createQuery(sql), values).mapTo(type).list();
    }

    /// The one row of a query, if there is one.
    ///
    /// @throws IllegalStateException where there are several
    public <T> Optional<T> find(String sql, Reader<T> reader, @Nullable Object... values) {
        return bound(handle.createQuery(sql), values)
                .map((row, context) -> reader.read(row))
                .findOne();
    }

    /// The one value of a query, if there is one and it is not null.
    public <T> Optional<T> find(String sql, Class<T> type, @Nullable Object... values) {
        return bound(handle.createQuery(sql), values).mapTo(type).findOne();
    }

    /// The first row of a query, if there is one.
    public <T> Optional<T> first(String sql, Reader<T> reader, @Nullable Object... values) {
        return bound(handle.createQuery(sql), values)
                .map((row, context) -> reader.read(row))
                .findFirst();
    }

    /// The first value of a query, if there is one and it is not null.
    public <T> Optional<T> first(String sql, Class<T> type, @Nullable Object... values) {
        return bound(handle.createQuery(sql), values).mapTo(type).findFirst();
    }

    /// The one row that a query always has.
    ///
    /// @throws IllegalStateException where it has none, or several
    public <T> T one(String sql, Reader<T> reader, @Nullable Object... values) {
        return bound(handle.createQuery(sql), values)
                .map((row, context) -> reader.read(row))
                .one();
    }

    /// The one value that a query always has.
    public <T> T one(String sql, Class<T> type, @Nullable Object... values) {
        return bound(handle.createQuery(sql), values).mapTo(type).one();
    }

    /// The one number that a query always has, such as a count.
    public long number(String sql, @Nullable Object... values) {
        return bound(handle.createQuery(sql), values).mapTo(Long.class).one();
    }

    /// Whether a query has a row.
    public boolean has(String sql, @Nullable Object... values) {
        return first(sql, row -> true, values).isPresent();
    }

    /// Inserts, updates or deletes.
    ///
    /// @return how many rows it was
    public int change(String sql, @Nullable Object... values) {
        return bound(handle.createUpdate(sql), values).execute();
    }

    /// Does the same for each item, sent together.
    ///
    /// @param values name, value, name, value… of an item
    /// @return how many rows it was, for each item
    public <E> int[] each(String sql, Iterable<E> items, Function<E, @Nullable Object[]> values) {
        var batch = handle.prepareBatch(sql);
        items.forEach(item -> bound(batch, values.apply(item)).add());
        return batch.size() == 0 ? new int[0] : batch.execute();
    }

    private static <S extends SqlStatement<S>> S bound(S statement, @Nullable Object[] values) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof Record row) {
                RecordColumns.bind(statement, row);
            } else {
                String name = (String) Objects.requireNonNull(values[i++]);
                if (values[i] instanceof Collection<?> entries) {
                    statement.bindList(name, List.copyOf(entries));
                } else {
                    statement.bind(name, values[i]);
                }
            }
        }
        return statement;
    }

    /// The rows of a query that is planned for the values that it is given, each time that it runs. PostgreSQL else
    /// keeps a plan for any values after a few uses, which knows nothing of how much a search finds.
    public <T> List<T> planned(String sql, Class<T> type, @Nullable Object... values) {
        var query = bound(handle.createQuery(sql), values);
        if (dialect == Dialect.POSTGRES) {
            query.addCustomizer(new StatementCustomizer() {
                @Override
                public void beforeExecution(PreparedStatement prepared, StatementContext context) throws SQLException {
                    prepared.unwrap(PGStatement.class).setPrepareThreshold(0);
                }
            });
        }
        return query.mapTo(type).list();
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
