package dev.sheaf.engine.db;

import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/// Reads and writes the rows of any table by column names: whole numbers as [Long], texts as [String], bytes as
/// `byte[]`. A null column has no entry.
public final class TableCopy {
    private TableCopy() {}

    /// Returns all tables except the engine's own, referenced tables first.
    public static List<TableInfo> all(Tx tx) {
        try {
            var meta = tx.handle().getConnection().getMetaData();
            var schema = tx.dialect() == SqlDialect.POSTGRES
                    ? tx.handle().getConnection().getSchema()
                    : null;
            var tables = new TreeMap<String, TableInfo>();
            for (String name : texts(meta.getTables(null, schema, "%", new String[] {"TABLE"}), "TABLE_NAME")) {
                if (!name.startsWith("sqlite_")) {
                    tables.put(name, table(meta, schema, name));
                }
            }
            return ordered(tables);
        } catch (SQLException e) {
            throw new IllegalStateException("the database does not describe itself", e);
        }
    }

    private static TableInfo table(DatabaseMetaData meta, @Nullable String schema, String name) throws SQLException {
        var columns = new ArrayList<String>();
        @Nullable String identity = null;
        try (var rows = meta.getColumns(null, schema, name, "%")) {
            while (rows.next()) {
                columns.add(rows.getString("COLUMN_NAME"));
                if ("YES".equals(rows.getString("IS_AUTOINCREMENT"))) {
                    identity = rows.getString("COLUMN_NAME");
                }
            }
        }
        var key = new TreeMap<Integer, String>();
        try (var rows = meta.getPrimaryKeys(null, schema, name)) {
            while (rows.next()) {
                key.put(rows.getInt("KEY_SEQ"), rows.getString("COLUMN_NAME"));
            }
        }
        var references = new TreeSet<>(texts(meta.getImportedKeys(null, schema, name), "PKTABLE_NAME"));
        references.remove(name);
        return new TableInfo(name, columns, List.copyOf(key.values()), identity, references);
    }

    private static List<String> texts(ResultSet rows, String column) throws SQLException {
        try (rows) {
            var texts = new ArrayList<String>();
            while (rows.next()) {
                texts.add(rows.getString(column));
            }
            return texts;
        }
    }

    private static List<TableInfo> ordered(Map<String, TableInfo> tables) {
        var done = new LinkedHashSet<String>();
        while (done.size() < tables.size()) {
            int before = done.size();
            tables.values().stream()
                    .filter(table -> !done.contains(table.name()))
                    .filter(table -> table.references().stream()
                            .allMatch(other -> done.contains(other) || !tables.containsKey(other)))
                    .map(TableInfo::name)
                    .toList()
                    .forEach(done::add);
            if (done.size() == before) {
                throw new IllegalStateException("the foreign keys of tables form a cycle");
            }
        }
        return done.stream().map(tables::get).toList();
    }

    public static long count(Tx tx, TableInfo table) {
        return tx.number("SELECT count(*) FROM " + table.name());
    }

    /// Passes on the rows one by one, in the order of the primary key.
    public static void each(Tx tx, TableInfo table, Consumer<Map<String, Object>> consumer) {
        String order = table.key().isEmpty() ? "" : " ORDER BY " + String.join(", ", table.key());
        tx.forEach(
                "SELECT " + String.join(", ", table.columns()) + " FROM " + table.name() + order,
                row -> read(table, row),
                consumer);
    }

    /// Passes on the rows one by one, as they lie in the table.
    public static void unordered(Tx tx, TableInfo table, Consumer<Map<String, Object>> consumer) {
        tx.forEach(select(tx, table), row -> read(table, row), consumer);
    }

    private static String select(Tx tx, TableInfo table) {
        return "SELECT " + String.join(", ", table.columns()) + " FROM " + table.name()
                + (tx.dialect() == SqlDialect.SQLITE ? " NOT INDEXED" : "");
    }

    /// Passes on the rows that can be read of a damaged table of SQLite, in the order of their row ids.
    ///
    /// @return whether all could be read
    public static boolean salvage(Tx tx, TableInfo table, Consumer<Map<String, Object>> consumer) {
        boolean all = true;
        var last = new long[] {0}; // rows have ids above it
        while (true) {
            try {
                tx.forEach(
                        "SELECT " + String.join(", ", table.columns()) + ", rowid FROM " + table.name()
                                + " NOT INDEXED WHERE rowid > " + last[0] + " ORDER BY rowid",
                        row -> {
                            last[0] = row.getLong(table.columns().size() + 1);
                            return read(table, row);
                        },
                        consumer);
                return all;
            } catch (JdbiException e) {
                if (!DatabaseDamage.isCauseOf(e)) {
                    throw e;
                }
                all = false;
            }
            long next = readableAfter(tx, table, last[0]);
            if (next < 0) {
                return false;
            }
            last[0] = next;
        }
    }

    /// Returns the lowest row id after which rows can be read, where those directly after `last` cannot; negative if
    /// there is none. Each page has the rows of a range of ids.
    private static long readableAfter(Tx tx, TableInfo table, long last) {
        long bad = last;
        long step = 1;
        while (!isReadableAfter(tx, table, bad + step)) {
            bad += step;
            step *= 2;
            if (step < 0 || bad + step < 0) {
                return -1;
            }
        }
        long good = bad + step;
        while (good - bad > 1) {
            long middle = bad + (good - bad) / 2;
            if (isReadableAfter(tx, table, middle)) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        return good;
    }

    private static boolean isReadableAfter(Tx tx, TableInfo table, long id) {
        try {
            tx.forEach(
                    select(tx, table) + " WHERE rowid > " + id + " ORDER BY rowid LIMIT 1",
                    row -> read(table, row),
                    row -> {});
            return true;
        } catch (JdbiException e) {
            if (!DatabaseDamage.isCauseOf(e)) {
                throw e;
            }
            return false;
        }
    }

    private static Map<String, Object> read(TableInfo table, ResultSet row) throws SQLException {
        var values = new LinkedHashMap<String, Object>();
        for (int i = 0; i < table.columns().size(); i++) {
            var value = row.getObject(i + 1);
            if (value != null) {
                values.put(table.columns().get(i), portable(table, value));
            }
        }
        return values;
    }

    private static Object portable(TableInfo table, Object value) {
        return switch (value) {
            case Integer number -> number.longValue();
            case Long number -> number;
            case String text -> text;
            case byte[] bytes -> bytes;
            default ->
                throw new IllegalStateException("the table " + table.name() + " holds a " + value.getClass()
                        + ", which backups do not support");
        };
    }

    /// Inserts rows. A column that no row contains gets its default, because the rows may come from an older
    /// schema.
    public static void insert(Tx tx, TableInfo table, List<Map<String, Object>> rows) {
        var columns = table.columns().stream()
                .filter(column -> rows.stream().anyMatch(row -> row.containsKey(column)))
                .toList();
        var nulls = new HashMap<String, @Nullable Object>();
        columns.forEach(column -> nulls.put(column, null));
        tx.each(
                "INSERT INTO " + table.name() + " (" + String.join(", ", columns) + ") VALUES (:"
                        + String.join(", :", columns) + ")",
                rows,
                nulls);
    }

    public static void clear(Tx tx, TableInfo table) {
        tx.change("DELETE FROM " + table.name());
    }

    /// Makes the identity column continue after the highest value. SQLite does this by itself.
    public static void countOn(Tx tx, TableInfo table) {
        String column = table.identity();
        if (tx.dialect() == SqlDialect.POSTGRES && column != null) {
            tx.number("SELECT setval(pg_get_serial_sequence('" + table.name() + "', '" + column
                    + "'), COALESCE(max(" + column + "), 1), max(" + column + ") IS NOT NULL) FROM "
                    + table.name());
        }
    }

    /// Returns the version of the schema.
    public static String schema(Tx tx) {
        return tx.one("""
                        SELECT version FROM flyway_schema_history WHERE version IS NOT NULL
                        ORDER BY installed_rank DESC LIMIT 1
                        """, String.class);
    }
}
