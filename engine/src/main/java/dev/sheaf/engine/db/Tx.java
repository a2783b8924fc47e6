package dev.sheaf.engine.db;

import dev.sheaf.engine.db.mapping.PlannedPerValue;
import dev.sheaf.engine.db.mapping.StatementValues;
import dev.sheaf.engine.db.pipeline.PipelineAnswer;
import dev.sheaf.engine.db.pipeline.StatementPipeline;
import dev.sheaf.engine.db.pipeline.StatementSender;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/// A transaction in progress, for the `…Rows` classes. Bound to its thread; invalid after the work.
public final class Tx {
    private static final int FETCHED = 500;

    private final Handle handle;
    private final SqlDialect dialect;
    private final Instant now;
    private final List<DataChange> changes = new ArrayList<>();
    private final Map<Class<?>, Gathering> gatherings = new LinkedHashMap<>();
    private final StatementSender sender;

    Tx(Handle handle, SqlDialect dialect, Instant now) {
        this.handle = handle;
        this.dialect = dialect;
        this.now = now;
        this.sender = new StatementSender(handle, now, dialect == SqlDialect.POSTGRES);
    }

    public Handle handle() {
        return sender.handle();
    }

    public SqlDialect dialect() {
        return dialect;
    }

    /// Returns the database's time in whole milliseconds; the same throughout the transaction.
    public Instant now() {
        return now;
    }

    // --- statements ---
    // Values are given as name, value, name, value…. A collection replaces `<name>` in the text, one value per
    // entry. A record or a map in place of a name contributes all its components or entries by their names.
    // `:now` is the transaction's time. The text is a constant of the program: input from outside is never part
    // of it. With an empty collection nothing is sent, and no row is found or changed.

    /// Reads one row.
    public interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /// Returns the rows of a query, in order.
    public <T> List<T> list(String sql, Reader<T> reader, @Nullable Object... values) {
        return StatementValues.areOfNone(values)
                ? List.of()
                : sender.rows(sql, reading(reader), values).list();
    }

    /// Returns the values of a query's single column, which must not be null; or its rows, if the type is a record
    /// with a component for each column.
    public <T> List<T> list(String sql, Class<T> type, @Nullable Object... values) {
        return StatementValues.areOfNone(values)
                ? List.of()
                : sender.rows(sql, StatementSender.as(type), values).list();
    }

    /// Returns the rows of a query that is planned for its values at each run. Otherwise PostgreSQL switches to a
    /// generic plan after a few runs, which does not know how many rows a search finds.
    public <T> List<T> planned(String sql, Class<T> type, @Nullable Object... values) {
        return StatementValues.areOfNone(values)
                ? List.of()
                : planned(sender.bound(handle().createQuery(sql), values))
                        .mapTo(type)
                        .list();
    }

    /// Plans a statement of JDBI for its values at each run, as above.
    public <S extends SqlStatement<S>> S planned(S statement) {
        return statement.addCustomizer(new PlannedPerValue());
    }

    /// Returns the rows of a two-column query as a map from the first column to the second, in order. If a key
    /// occurs more than once, its last row counts.
    public <K, V> Map<K, V> map(String sql, Class<K> key, Class<V> value, @Nullable Object... values) {
        var found = new LinkedHashMap<K, V>();
        if (!StatementValues.areOfNone(values)) {
            sender.bound(handle().createQuery(sql), values)
                    .map((row, context) -> found.put(column(row, 1, key, context), column(row, 2, value, context)))
                    .list();
        }
        return found;
    }

    private static <T> T column(ResultSet row, int number, Class<T> type, StatementContext context)
            throws SQLException {
        return context.findColumnMapperFor(type)
                .orElseThrow(() -> new IllegalArgumentException(type + " has a type that no column has"))
                .map(row, number, context);
    }

    /// Passes on the rows of a query in order, without holding all of them in memory.
    public <T> void forEach(String sql, Reader<T> reader, Consumer<T> consumer, @Nullable Object... values) {
        var query = sender.bound(handle().createQuery(sql), values).setFetchSize(FETCHED);
        try (var rows = query.map((row, context) -> reader.read(row)).iterator()) {
            rows.forEachRemaining(consumer);
        }
    }

    /// Returns the only row of a query, if any.
    ///
    /// @throws IllegalStateException if there are several
    public <T> Optional<T> find(String sql, Reader<T> reader, @Nullable Object... values) {
        return StatementValues.areOfNone(values)
                ? Optional.empty()
                : sender.rows(sql, reading(reader), values).findOne();
    }

    /// Returns the only value of a query, if there is one and it is not null; or its row, if the type is a record.
    public <T> Optional<T> find(String sql, Class<T> type, @Nullable Object... values) {
        return StatementValues.areOfNone(values)
                ? Optional.empty()
                : sender.rows(sql, StatementSender.as(type), values).findOne();
    }

    /// Returns the first row of a query, if any.
    public <T> Optional<T> first(String sql, Reader<T> reader, @Nullable Object... values) {
        return StatementValues.areOfNone(values)
                ? Optional.empty()
                : sender.rows(sql, reading(reader), values).findFirst();
    }

    /// Returns the first value of a query, if there is one and it is not null; or its row, if the type is a
    /// record.
    public <T> Optional<T> first(String sql, Class<T> type, @Nullable Object... values) {
        return StatementValues.areOfNone(values)
                ? Optional.empty()
                : sender.rows(sql, StatementSender.as(type), values).findFirst();
    }

    /// Returns the row of a query that always has exactly one.
    ///
    /// @throws IllegalStateException if it has none or several
    public <T> T one(String sql, Reader<T> reader, @Nullable Object... values) {
        return sender.rows(sql, reading(reader), values).one();
    }

    /// Returns the value of a query that always has exactly one; or its row, if the type is a record.
    public <T> T one(String sql, Class<T> type, @Nullable Object... values) {
        return sender.rows(sql, StatementSender.as(type), values).one();
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
        return StatementValues.areOfNone(values) ? 0 : sender.change(sql, values);
    }

    // --- statements that wait ---
    //
    // A round trip to PostgreSQL costs as much as a short statement, so these are sent together with the next
    // statement whose result is needed, or with the commit. The order of statements is kept. On SQLite they run at
    // once.

    /// Inserts, updates or deletes if the number of rows does not matter.
    public void later(String sql, @Nullable Object... values) {
        if (!StatementValues.areOfNone(values)) {
            sender.later(sql, values);
        }
    }

    /// Inserts a row for each item as [#each] does, if the numbers of rows do not matter.
    ///
    /// @param sql an insert with `VALUES (…)`, which stands for one row
    public void laterEach(String sql, Collection<?> items, @Nullable Object... values) {
        sender.laterEach(sql, items, values);
    }

    /// Asks for the rows of a query, as [#list] returns them.
    public <T> PipelineAnswer<List<T>> soon(String sql, Class<T> type, @Nullable Object... values) {
        return sender.soon(sql, StatementSender.as(type), values);
    }

    /// Inserts a row for each item as [#laterEach] does, and answers with what the insert returns.
    public <T> PipelineAnswer<List<T>> soonEach(
            String sql, Class<T> type, Collection<?> items, @Nullable Object... values) {
        return sender.soonEach(sql, StatementSender.as(type), items, values);
    }

    /// Runs the statement for each item, sent as one batch. A record or a map contributes its components or
    /// entries as in any statement; a map entry is `:key` and `:value`; anything else is `:each`.
    ///
    /// @param values the values that are the same for all items
    /// @return the number of rows for each item
    public int[] each(String sql, Iterable<?> items, @Nullable Object... values) {
        return sender.each(sql, items, values);
    }

    private static <T> StatementPipeline.Reading<T> reading(Reader<T> reader) {
        return context -> (row, its) -> reader.read(row);
    }

    /// Announces a change of something cached. After the commit every node drops its cached copy: this node before
    /// the write returns, others within two seconds.
    public void changed(DataChange change) {
        changes.add(change);
    }

    /// Runs a part of the work. If a foreign key forbids it, the part is undone, and the transaction continues.
    ///
    /// @return whether the part was done
    public boolean attempt(Runnable part) {
        handle().execute("SAVEPOINT attempt");
        var gathered = new LinkedHashMap<Class<?>, Gathering>();
        gatherings.forEach((kind, gathering) -> gathered.put(kind, gathering.copy()));
        try {
            part.run();
            handle();
        } catch (JdbiException e) {
            if (!PostgresFailures.isForeignKey(e) && !SqliteFailures.isForeignKey(e)) {
                throw e;
            }
            sender.pipeline().forget();
            handle.execute("ROLLBACK TO attempt");
            handle.execute("RELEASE attempt");
            gatherings.clear();
            gatherings.putAll(gathered);
            return false;
        }
        handle.execute("RELEASE attempt");
        return true;
    }

    /// Collects data over a transaction and writes it at the end, after the work and before the commit. If
    /// [#settle] throws, the transaction is rolled back.
    public interface Gathering {
        void settle(Tx tx);

        /// Returns a copy of what was collected so far, for the case that a part of the work is undone.
        Gathering copy();
    }

    /// Returns the transaction's single gathering of that kind; `first` creates it.
    public <G extends Gathering> G gather(Class<G> kind, Supplier<G> first) {
        return kind.cast(gatherings.computeIfAbsent(kind, missing -> first.get()));
    }

    void settle() {
        sender.pipeline().sendExpected(); // what follows from it belongs to the work
        gatherings.values().forEach(gathering -> gathering.settle(this));
    }

    /// Commits on PostgreSQL with the statements not yet sent. JDBI's commit, which follows, then does nothing.
    void sendCommit() {
        sender.pipeline().send("COMMIT");
    }

    List<DataChange> changes() {
        return changes;
    }
}
