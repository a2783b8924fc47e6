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

/// A transaction in progress, passed to the `…Rows` classes. Bound to its thread; invalid after the work has
/// returned.
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

    /// Returns the database's time in whole milliseconds; the same throughout the transaction.
    public Instant now() {
        return now;
    }

    // --- statements ---
    //
    // Values are given as name, value, name, value…. A collection stands for `<name>` in the text, one value per
    // entry. A record or a map in place of a name contributes all its components or entries by their names. `:now`
    // is the transaction's time. The text is a constant of the program: input from outside is never part of it.
    // With an empty collection, a query finds nothing and a change changes nothing, without asking the database.

    /// Reads one row.
    public interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /// Returns the rows of a query, in order.
    public <T> List<T> list(String sql, Reader<T> reader, @Nullable Object... values) {
        return Values.areOfNone(values)
                ? List.of()
                : rows(query(sql, values), reader).list();
    }

    /// Returns the values of a query's single column, which must not be null; or its rows, if the type is a record
    /// with a component for each column.
    public <T> List<T> list(String sql, Class<T> type, @Nullable Object... values) {
        return Values.areOfNone(values)
                ? List.of()
                : query(sql, values).mapTo(type).list();
    }

    /// Returns the rows of a query that is planned for its values at each run. Otherwise PostgreSQL switches to a
    /// generic plan after a few runs, which does not know how many rows a search finds.
    public <T> List<T> planned(String sql, Class<T> type, @Nullable Object... values) {
        return Values.areOfNone(values)
                ? List.of()
                : planned(query(sql, values)).mapTo(type).list();
    }

    /// Plans a statement of JDBI for its values at each run, as above.
    public <S extends SqlStatement<S>> S planned(S statement) {
        return statement.addCustomizer(new Planned());
    }

    /// Returns the rows of a two-column query as a map from the first column to the second, in order. If a key
    /// occurs more than once, its last row counts.
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

    /// Passes on the rows of a query in order, without holding all of them in memory.
    public <T> void forEach(String sql, Reader<T> reader, Consumer<T> consumer, @Nullable Object... values) {
        try (var rows = rows(query(sql, values).setFetchSize(FETCHED), reader).iterator()) {
            rows.forEachRemaining(consumer);
        }
    }

    /// Returns the only row of a query, if any.
    ///
    /// @throws IllegalStateException if there are several
    public <T> Optional<T> find(String sql, Reader<T> reader, @Nullable Object... values) {
        return Values.areOfNone(values)
                ? Optional.empty()
                : rows(query(sql, values), reader).findOne();
    }

    /// Returns the only value of a query, if there is one and it is not null; or its row, if the type is a record.
    public <T> Optional<T> find(String sql, Class<T> type, @Nullable Object... values) {
        return Values.areOfNone(values)
                ? Optional.empty()
                : query(sql, values).mapTo(type).findOne();
    }

    /// Returns the first row of a query, if any.
    public <T> Optional<T> first(String sql, Reader<T> reader, @Nullable Object... values) {
        return Values.areOfNone(values)
                ? Optional.empty()
                : rows(query(sql, values), reader).findFirst();
    }

    /// Returns the first value of a query, if there is one and it is not null; or its row, if the type is a
    /// record.
    public <T> Optional<T> first(String sql, Class<T> type, @Nullable Object... values) {
        return Values.areOfNone(values)
                ? Optional.empty()
                : query(sql, values).mapTo(type).findFirst();
    }

    /// Returns the row of a query that always has exactly one.
    ///
    /// @throws IllegalStateException if it has none or several
    public <T> T one(String sql, Reader<T> reader, @Nullable Object... values) {
        return rows(query(sql, values), reader).one();
    }

    /// Returns the value of a query that always has exactly one; or its row, if the type is a record.
    public <T> T one(String sql, Class<T> type, @Nullable Object... values) {
        return query(sql, values).mapTo(type).one();
    }

    /// Returns the number that a query such as a count always has.
    public long number(String sql, @Nullable Object... values) {
        return one(sql, Long.class, values);
    }

    /// Returns whether a query has a row.
    public boolean has(String sql, @Nullable Object... values) {
        return first(sql, row -> true, values).isPresent();
    }

    /// Inserts, updates or deletes.
    ///
    /// @return the number of rows
    public int change(String sql, @Nullable Object... values) {
        return Values.areOfNone(values)
                ? 0
                : bound(handle().createUpdate(sql), values).execute();
    }

    /// Inserts, updates or deletes if the number of rows does not matter. PostgreSQL gets the statement together
    /// with the next one or the commit, because a round trip costs as much as a short statement. The order of
    /// statements is kept. Takes no collections.
    public void later(String sql, @Nullable Object... values) {
        if (dialect == Dialect.POSTGRES) {
            postponed.add(handle, now, sql, values);
        } else {
            change(sql, values);
        }
    }

    /// Runs the statement for each item, sent as one batch. A record or a map contributes its components or
    /// entries as in any statement; a map entry is `:key` and `:value`; anything else is `:each`.
    ///
    /// @param values the values that are the same for all items
    /// @return the number of rows for each item
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

    /// Announces a change of something cached. After the commit every node drops its cached copy: this node before
    /// the write returns, others within a second.
    public void changed(Change change) {
        changes.add(change);
    }

    /// Runs a part of the work that a foreign key may forbid. In that case the part is undone, and the transaction
    /// continues.
    ///
    /// @return whether the part was done
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

    /// Collects data over a transaction and writes it at the end, after the work and before the commit. If
    /// [#settle] throws, the transaction is rolled back.
    public interface Gathering {
        void settle(Tx tx);

        /// Returns a copy of what was collected so far, to return to.
        Gathering copy();
    }

    /// Returns the transaction's single gathering of that kind; `first` creates it.
    public <G extends Gathering> G gather(Class<G> kind, Supplier<G> first) {
        return kind.cast(gatherings.computeIfAbsent(kind, missing -> first.get()));
    }

    void settle() {
        gatherings.values().forEach(gathering -> gathering.settle(this));
    }

    /// Commits on PostgreSQL, together with the statements not yet sent. The commit of JDBI that follows does
    /// nothing.
    void sendCommit() {
        postponed.send(handle, now, "COMMIT");
    }

    List<Change> changes() {
        return changes;
    }
}
