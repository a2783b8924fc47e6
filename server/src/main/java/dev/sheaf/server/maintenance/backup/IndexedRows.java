package dev.sheaf.server.maintenance.backup;

import dev.sheaf.engine.db.DatabaseDamage;
import dev.sheaf.engine.db.Tx;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Rows of a damaged table of SQLite that are put together from its indexes, which lie in other pages. Only for the
/// three tables that nearly all other rows need: in most installations each is a single page, and its loss would be
/// the loss of everything. What no index has is filled in: names, times, no quota. A repository whose index
/// of public ones is damaged, too, becomes private.
final class IndexedRows {
    private final Tx tx;
    private final Set<Object> saved = new HashSet<>();

    IndexedRows(Tx tx) {
        this.tx = tx;
    }

    /// Notes a row that was read from its table.
    void saw(String table, Map<String, Object> row) {
        if (isKnown(table)) {
            saved.add(row.get(key(table)));
        }
    }

    private static boolean isKnown(String table) {
        return Set.of("organization", "namespace", "repository").contains(table);
    }

    private static String key(String table) {
        return table.equals("namespace") ? "name" : "id";
    }

    /// Passes on the rows of a table that its indexes have, without those that were read.
    ///
    /// @return their number
    int recover(String table, Consumer<Map<String, Object>> consumer) {
        if (!isKnown(table)) {
            return 0;
        }
        var rows = readable(
                () -> switch (table) {
                    case "organization" -> organizations();
                    case "namespace" -> namespaces();
                    default -> repositories();
                },
                List.<Map<String, Object>>of());
        var lost = rows.stream().filter(row -> saved.add(row.get(key(table)))).toList();
        lost.forEach(consumer);
        return lost.size();
    }

    private List<Map<String, Object>> organizations() {
        return tx.list("""
                SELECT i.id, h.handle
                FROM (SELECT rowid AS place, id FROM organization INDEXED BY sqlite_autoindex_organization_1) i
                JOIN (SELECT rowid AS place, handle FROM organization INDEXED BY sqlite_autoindex_organization_2) h
                ON h.place = i.place
                """, row -> row("id", row.getString(1), "handle", row.getString(2), "name", row.getString(2)));
    }

    private List<Map<String, Object>> namespaces() {
        return tx.list(
                "SELECT name, organization_id FROM namespace INDEXED BY namespace_by_organization",
                row -> row(
                        "name",
                        row.getString(1),
                        "display_name",
                        row.getString(1),
                        "organization_id",
                        row.getString(2)));
    }

    private List<Map<String, Object>> repositories() {
        var isPublic = numbers("""
                SELECT id, id FROM repository INDEXED BY repository_public
                WHERE visibility = 'public' AND deleted_at IS NULL
                """);
        var deleted = numbers("""
                SELECT id, deleted_at FROM repository INDEXED BY repository_by_deletion
                WHERE deleted_at IS NOT NULL AND purged_at IS NULL
                """);
        return tx.list("SELECT id, namespace, name FROM repository INDEXED BY sqlite_autoindex_repository_1", row -> {
            long id = row.getLong(1);
            var values = row("id", id, "namespace", row.getString(2), "name", row.getString(3));
            values.put("visibility", isPublic.containsKey(id) ? "public" : "private");
            if (deleted.containsKey(id)) {
                values.put("deleted_at", deleted.get(id));
            }
            return values;
        });
    }

    private Map<Long, Long> numbers(String sql) {
        var found = new HashMap<Long, Long>();
        readable(() -> tx.list(sql, row -> found.put(row.getLong(1), row.getLong(2)) == null), List.<Boolean>of());
        return found;
    }

    private Map<String, Object> row(Object... values) {
        var row = new LinkedHashMap<String, Object>();
        for (int i = 0; i < values.length; i += 2) {
            row.put((String) values[i], values[i + 1]);
        }
        row.put("created_at", tx.now().toEpochMilli());
        return row;
    }

    /// Returns what can be read, or else `nothing`: the index is damaged, too.
    private static <T> T readable(Supplier<T> read, T nothing) {
        try {
            return read.get();
        } catch (RuntimeException e) {
            if (!DatabaseDamage.isCauseOf(e)) {
                throw e;
            }
            return nothing;
        }
    }
}
