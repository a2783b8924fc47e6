package dev.sheaf.server.maintenance.backup;

import dev.sheaf.server.db.Dialect;
import dev.sheaf.server.db.Tx;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The rows of any table, by the names of their columns: whole numbers as [Long], texts as [String], bytes as
/// `byte[]`, and nothing where a column is null.
final class TableRows {
    private static final int FETCHED = 500;

    private TableRows() {}

    /// The tables that a backup has, those before others that these point to.
    static List<Table> tables(Tx tx) {
        try {
            var meta = tx.handle().getConnection().getMetaData();
            var schema = tx.dialect() == Dialect.POSTGRES
                    ? tx.handle().getConnection().getSchema()
                    : null;
            var tables = new TreeMap<String, Table>();
            for (String name : texts(meta.getTables(null, schema, "%", new String[] {"TABLE"}), "TABLE_NAME")) {
                var table = table(meta, schema, name);
                if (table.isKept() && !name.startsWith("sqlite_")) {
                    tables.put(name, table);
                }
            }
            return ordered(tables);
        } catch (SQLException e) {
            throw new IllegalStateException("the database does not describe itself", e);
        }
    }

    private static Table table(DatabaseMetaData meta, @Nullable String schema, String name) throws SQLException {
        var columns = new ArrayList<String>();
        Optional<String> identity = Optional.empty();
        try (var rows = meta.getColumns(null, schema, name, "%")) {
            while (rows.next()) {
                columns.add(rows.getString("COLUMN_NAME"));
                if ("YES".equals(rows.getString("IS_AUTOINCREMENT"))) {
                    identity = Optional.of(rows.getString("COLUMN_NAME"));
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
        return new Table(name, columns, List.copyOf(key.values()), identity, references);
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

    private static List<Table> ordered(Map<String, Table> tables) {
        var done = new LinkedHashSet<String>();
        while (done.size() < tables.size()) {
            int before = done.size();
            tables.values().stream()
                    .filter(table -> !done.contains(table.name()))
                    .filter(table -> table.references().stream()
                            .allMatch(other -> done.contains(other) || !tables.containsKey(other)))
                    .map(Table::name)
                    .toList()
                    .forEach(done::add);
            if (done.size() == before) {
                throw new IllegalStateException("tables point at each other in a circle");
            }
        }
        return done.stream().map(tables::get).toList();
    }

    static long count(Tx tx, Table table) {
        return tx.number("SELECT count(*) FROM " + table.name());
    }

    /// Hands over one row after the other, in the order of the primary key.
    static void each(Tx tx, Table table, Consumer<Map<String, Object>> consumer) {
        String order = table.key().isEmpty() ? "" : " ORDER BY " + String.join(", ", table.key());
        try (var rows = tx.handle()
                .createQuery("SELECT " + String.join(", ", table.columns()) + " FROM " + table.name() + order)
                .setFetchSize(FETCHED)
                .map((row, context) -> read(table, row))
                .iterator()) {
            rows.forEachRemaining(consumer);
        }
    }

    private static Map<String, Object> read(Table table, ResultSet row) throws SQLException {
        var values = new LinkedHashMap<String, Object>();
        for (int i = 0; i < table.columns().size(); i++) {
            var value = row.getObject(i + 1);
            if (value != null) {
                values.put(table.columns().get(i), portable(table, value));
            }
        }
        return values;
    }

    private static Object portable(Table table, Object value) {
        return switch (value) {
            case Integer number -> number.longValue();
            case Long number -> number;
            case String text -> text;
            case byte[] bytes -> bytes;
            default ->
                throw new IllegalStateException(
                        "the table " + table.name() + " holds a " + value.getClass() + ", which no backup knows");
        };
    }

    /// A column that none of the rows has is left to its default: they may be of an older schema, which had it not.
    static void insert(Tx tx, Table table, List<Map<String, Object>> rows) {
        var columns = table.columns().stream()
                .filter(column -> rows.stream().anyMatch(row -> row.containsKey(column)))
                .toList();
        var batch = tx.handle()
                .prepareBatch("INSERT INTO " + table.name() + " (" + String.join(", ", columns) + ") VALUES (:"
                        + String.join(", :", columns) + ")");
        for (var row : rows) {
            columns.forEach(column -> batch.bind(column, row.get(column)));
            batch.add();
        }
        batch.execute();
    }

    static void clear(Tx tx, Table table) {
        tx.handle().execute("DELETE FROM " + table.name());
    }

    /// Lets the next row count on from the highest. SQLite does so by itself.
    static void countOn(Tx tx, Table table) {
        if (tx.dialect() == Dialect.POSTGRES && table.identity().isPresent()) {
            String column = table.identity().get();
            tx.number("SELECT setval(pg_get_serial_sequence('" + table.name() + "', '" + column
                    + "'), COALESCE(max(" + column + "), 1), max(" + column + ") IS NOT NULL) FROM "
                    + table.name());
        }
    }

    /// The version of the schema.
    static String schema(Tx tx) {
        return tx.one("""
                        SELECT version FROM flyway_schema_history WHERE version IS NOT NULL
                        ORDER BY installed_rank DESC LIMIT 1
                        """, String.class);
    }

    // --- facts about the installation ---

    /// There while a restore is not at its end.
    static final String RESTORING = "restore-unfinished";

    /// Counts what no restore may touch: organizations, where no restore is under way. A program that was about to
    /// serve may have made rows of its own.
    static final String IN_THE_WAY = "SELECT count(*) FROM organization WHERE NOT EXISTS (SELECT 1 FROM setting"
            + " WHERE name = '" + RESTORING + "')";

    /// What [#IN_THE_WAY] counts.
    static long inTheWay(Tx tx) {
        return tx.number(IN_THE_WAY);
    }

    static boolean isRestoring(Tx tx) {
        return tx.find("SELECT value FROM setting WHERE name = :name", String.class, "name", RESTORING)
                .isPresent();
    }

    static void beginRestoring(Tx tx, String from) {
        tx.change("INSERT INTO setting (name, value) VALUES (:name, :value)", "name", RESTORING, "value", from);
    }

    static void endRestoring(Tx tx) {
        tx.change("DELETE FROM setting WHERE name = :name", "name", RESTORING);
    }

    /// The object that holds a digest's bytes now, as the database spells it.
    static Optional<String> object(Tx tx, String digest) {
        return tx.find(
                "SELECT object_id FROM blob WHERE digest = :digest AND object_id IS NOT NULL",
                String.class,
                "digest",
                digest);
    }
}
