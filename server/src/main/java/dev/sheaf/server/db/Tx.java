package dev.sheaf.server.db;

import dev.sheaf.server.db.mapping.Planned;
import dev.sheaf.server.db.mapping.Values;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.result.ResultIterable;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// A transaction in progress, handed to `…Rows`. Bound to its thread; of no use after the work has returned.
public final class Tx {
    private static final String FOREIGN_KEY = "23503";
    private static final int FETCHED = 500;

    private final Handle handle;
    private final Dialect dialect;
    private final Instant now;
    private final List<Change> changes = new ArrayList<>();
    private final Map<Class<?>, Gathering> gatherings = new LinkedHashMap<>();
    private final Postponed postponed = new Postponed();

    Tx(Handle handle, Dialect dialect, Instant now) {
        this.handle = handle;
        this.dialect = dialect;
        this.now = now;
    }

    public Handle handle() {
        postponed.send(handle, now, "");
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
    // it is one value. A record or a map in place of a name gives all its components or entries, by their names. `:now`
    // is the transaction's time. The text is a constant of the program: nothing that came from outside is ever part of
    // it. Nothing is in an empty collection: a query with one finds nothing, and a change changes nothing, and the
    // database is not asked.

    /// Reads one row.
    public interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /// The rows of a query, in its order.
    public <T> List<T> list(String sql, Reader<T> reader, @Nullable Object... values) {
        return Values.areOfNone(values)
                ? List.of()
                : rows(query(sql, values), reader).list();
    }

    /// The values of a query's one column, none of which is null; or its rows, where the type is a record with a
    /// component for each column.
    public <T> List<T> list(String sql, Class<T> type, @Nullable Object... values) {
        return Values.areOfNone(values)
                ? List.of()
                : query(sql, values).mapTo(type).list();
    }

    /// The rows of a query that is planned for the values that it is given, each time that it runs. PostgreSQL else
    /// keeps a plan for any values after a few uses, which knows nothing of how much a search finds.
    public <T> List<T> planned(String sql, Class<T> type, @Nullable Object... values) {
        return Values.areOfNone(values)
                ? List.of()
                : planned(query(sql, values)).mapTo(type).list();
    }

    /// As above, for a statement of JDBI.
    public <S extends SqlStatement<S>> S planned(S statement) {
        return statement.addCustomizer(new Planned());
    }

    /// What a query of two columns finds: the second by the first, in its order. Where several have the same first, the
    /// last of them counts.
    public <K, V> Map<K, V> map(String sql, Class<K> key, Class<V> value, @Nullable Object... values) {
        var found = new LinkedHashMap<K, V>();
        if (!Values.areOfNone(values)) {
            query(sql, values)
                    .map((row, context) -> found.put(column(row, 1, key, context), column(row, 2, value, context)))
                    .list();
        }
        return found;
    }

    private static <T> T column(ResultSet row, int number, Class<T> type, StatementContext context)
            throws SQLException {
        return context.findColumnMapperFor(type)
                .orElseThrow(() -> new IllegalArgumentException(type + " is of no type of a column"))
                .map(row, number, context);
    }

    /// Hands over the rows of a query in its order, without ever holding them all.
    public <T> void forEach(String sql, Reader<T> reader, Consumer<T> consumer, @Nullable Object... values) {
        try (var rows = rows(query(sql, values).setFetchSize(FETCHED), reader).iterator()) {
            rows.forEachRemaining(consumer);
        }
    }

    /// The one row of a query, if there is one.
    ///
    /// @throws IllegalStateException where there are several
    public <T> Optional<T> find(String sql, Reader<T> reader, @Nullable Object... values) {
        return Values.areOfNone(values)
                ? Optional.empty()
                : rows(query(sql, values), reader).findOne();
    }

    /// The one value of a query, if there is one and it is not null; or its row, where the type is such a record.
    public <T> Optional<T> find(String sql, Class<T> type, @Nullable Object... values) {
        return Values.areOfNone(values)
                ? Optional.empty()
                : query(sql, values).mapTo(type).findOne();
    }

    /// The first row of a query, if there is one.
    public <T> Optional<T> first(String sql, Reader<T> reader, @Nullable Object... values) {
        return Values.areOfNone(values)
                ? Optional.empty()
                : rows(query(sql, values), reader).findFirst();
    }

    /// The first value of a query, if there is one and it is not null; or its row, where the type is such a record.
    public <T> Optional<T> first(String sql, Class<T> type, @Nullable Object... values) {
        return Values.areOfNone(values)
                ? Optional.empty()
                : query(sql, values).mapTo(type).findFirst();
    }

    /// The one row that a query always has.
    ///
    /// @throws IllegalStateException where it has none, or several
    public <T> T one(String sql, Reader<T> reader, @Nullable Object... values) {
        return rows(query(sql, values), reader).one();
    }

    /// The one value that a query always has; or its row, where the type is such a record.
    public <T> T one(String sql, Class<T> type, @Nullable Object... values) {
        return query(sql, values).mapTo(type).one();
    }

    /// The one number that a query always has, such as a count.
    public long number(String sql, @Nullable Object... values) {
        return one(sql, Long.class, values);
    }

    /// Whether a query has a row.
    public boolean has(String sql, @Nullable Object... values) {
        return first(sql, row -> true, values).isPresent();
    }

    /// Inserts, updates or deletes.
    ///
    /// @return how many rows it was
    public int change(String sql, @Nullable Object... values) {
        return Values.areOfNone(values)
                ? 0
                : bound(handle().createUpdate(sql), values).execute();
    }

    /// The same where nobody asks how many rows it was. PostgreSQL is sent it together with the statement that
    /// follows, or with the commit: a trip to the database costs as much as a short statement does. Nothing comes
    /// before it that is called after it. Takes no collections.
    public void later(String sql, @Nullable Object... values) {
        if (dialect == Dialect.POSTGRES) {
            postponed.add(handle, now, sql, values);
        } else {
            change(sql, values);
        }
    }

    /// Does the same for each item, sent together. A record or a map gives its components or entries, as for any
    /// statement; the entry of a map is `:key` and `:value`; anything else is `:each`.
    ///
    /// @param values what is the same for all
    /// @return how many rows it was, for each item
    public int[] each(String sql, Iterable<?> items, @Nullable Object... values) {
        var batch = handle().prepareBatch(sql);
        for (Object item : items) {
            bound(batch, values);
            Values.bindItem(batch, item);
            batch.add();
        }
        return batch.size() == 0 ? new int[0] : batch.execute();
    }

    private Query query(String sql, @Nullable Object[] values) {
        return bound(handle().createQuery(sql), values);
    }

    private static <T> ResultIterable<T> rows(Query query, Reader<T> reader) {
        return query.map((row, context) -> reader.read(row));
    }

    private <S extends SqlStatement<S>> S bound(S statement, @Nullable Object[] values) {
        statement.bind("now", now);
        Values.bind(statement, values);
        return statement;
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
        handle().execute("SAVEPOINT attempt");
        var gathered = new LinkedHashMap<Class<?>, Gathering>();
        gatherings.forEach((kind, gathering) -> gathered.put(kind, gathering.copy()));
        try {
            part.run();
            postponed.send(handle, now, "");
        } catch (JdbiException e) {
            if (!isForbidden(e)) {
                throw e;
            }
            postponed.forget();
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

    /// Commits on PostgreSQL, with what is still to be sent. The commit of JDBI, which follows, then has nothing to do.
    void sendCommit() {
        postponed.send(handle, now, "COMMIT");
    }

    List<Change> changes() {
        return changes;
    }
}
