package dev.sheaf.server.maintenance.fsck;

import dev.sheaf.engine.db.DatabaseDamage;
import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.engine.db.TableCopy;
import dev.sheaf.engine.db.TableInfo;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.BlobRows;
import dev.sheaf.server.registry.content.ManifestRecord;
import dev.sheaf.server.registry.content.ManifestRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The rules that rows must follow, and the rows that break them.
final class FsckRows {
    /// A rule. Each rule checks blobs or manifests whose ids are greater than a given id, so that a check can
    /// be limited to the newest ones.
    enum Rule {
        BLOB_CONTENT("small content is missing in the database, or has a different length", """
                SELECT b.digest AS subject, b.id FROM blob b LEFT JOIN blob_content c ON c.blob_id = b.id
                WHERE b.id > :from AND b.object_id IS NULL AND b.state = 'ok'
                AND (c.blob_id IS NULL OR length(c.content) <> b.size)
                """),
        MANIFEST_CONTENT("the manifest's content is missing in the database, or has a different length", """
                SELECT r.namespace || '/' || r.name || '@' || m.digest AS subject, m.id FROM manifest m
                JOIN repository r ON r.id = m.repository_id LEFT JOIN manifest_content c ON c.manifest_id = m.id
                WHERE m.id > :from AND m.state = 'ok' AND (c.manifest_id IS NULL OR length(c.content) <> m.size)
                """),
        LIVE_OBJECT("its content is in use, but queued for deletion", """
                SELECT b.digest AS subject, b.id FROM blob b JOIN object_deletion d ON d.id = b.object_id
                WHERE b.id > :from
                """),
        LINK("the link points to a repository or blob that does not exist", """
                SELECT 'repository ' || l.repository_id || ', blob ' || l.blob_id AS subject, l.blob_id AS id
                FROM link l LEFT JOIN blob b ON b.id = l.blob_id LEFT JOIN repository r ON r.id = l.repository_id
                WHERE l.blob_id > :from AND (b.id IS NULL OR r.id IS NULL)
                """),
        MANIFEST_BLOB("the manifest needs a blob that its repository does not have", """
                SELECT 'manifest ' || x.manifest_id || ', blob ' || x.blob_id AS subject, x.manifest_id AS id
                FROM manifest_blob x LEFT JOIN manifest m ON m.id = x.manifest_id
                LEFT JOIN link l ON l.repository_id = x.repository_id AND l.blob_id = x.blob_id
                WHERE x.manifest_id > :from AND (m.id IS NULL OR l.blob_id IS NULL)
                """),
        MANIFEST_CHILD("the index lists a manifest that does not exist", """
                SELECT 'index ' || x.manifest_id || ', manifest ' || x.child_id AS subject, x.manifest_id AS id
                FROM manifest_child x LEFT JOIN manifest c ON c.id = x.child_id
                WHERE x.manifest_id > :from AND c.id IS NULL
                """),
        VERSION("the version's manifest does not exist, or belongs to another repository", """
                SELECT 'version ' || v.id AS subject, v.manifest_id AS id FROM version v
                LEFT JOIN manifest m ON m.id = v.manifest_id LEFT JOIN bundle b ON b.id = v.bundle_id
                WHERE v.manifest_id > :from AND (m.id IS NULL OR b.id IS NULL OR m.repository_id <> b.repository_id)
                """),
        VERSION_WITHOUT_TAG("no tag has the version's number", """
                SELECT r.namespace || '/' || r.name || ':' || v.version AS subject, v.manifest_id AS id FROM version v
                JOIN bundle b ON b.id = v.bundle_id JOIN repository r ON r.id = b.repository_id
                LEFT JOIN tag t ON t.repository_id = r.id AND t.name = replace(v.version, '+', '_')
                WHERE v.manifest_id > :from AND v.state IN ('published', 'yanked') AND t.name IS NULL
                """),
        VERSION_TAG("the tag of the version's number points to another manifest", """
                SELECT r.namespace || '/' || r.name || ':' || v.version AS subject, v.manifest_id AS id FROM version v
                JOIN bundle b ON b.id = v.bundle_id JOIN repository r ON r.id = b.repository_id
                JOIN tag t ON t.repository_id = r.id AND t.name = replace(v.version, '+', '_')
                WHERE v.manifest_id > :from AND t.manifest_id <> v.manifest_id
                """),
        TAG("the tag's manifest does not exist, or belongs to another repository", """
                SELECT 'repository ' || t.repository_id || ', tag ' || t.name AS subject, t.manifest_id AS id
                FROM tag t LEFT JOIN manifest m ON m.id = t.manifest_id
                WHERE t.manifest_id > :from AND (m.id IS NULL OR m.repository_id <> t.repository_id)
                """),
        ASSET(
                "the version's repository lacks an asset's content, so the version cannot be pulled; push the content that it"
                        + " names and its manifest again, or publish a new version and yank this one",
                """
                SELECT r.namespace || '/' || r.name || ':' || v.version || ', asset ' || a.path AS subject,
                v.manifest_id AS id FROM version v
                JOIN bundle u ON u.id = v.bundle_id JOIN repository r ON r.id = u.repository_id
                JOIN asset a ON a.version_id = v.id LEFT JOIN blob b ON b.digest = a.digest
                LEFT JOIN link l ON l.repository_id = u.repository_id AND l.blob_id = b.id
                WHERE v.manifest_id > :from AND l.blob_id IS NULL
                """),
        ASSET_SIZE(
                "the length of an asset's content differs from the version's, so it is not served; publish a new version"
                        + " and yank this one",
                """
                SELECT r.namespace || '/' || r.name || ':' || v.version || ', asset ' || a.path AS subject,
                v.manifest_id AS id FROM version v
                JOIN bundle u ON u.id = v.bundle_id JOIN repository r ON r.id = u.repository_id
                JOIN asset a ON a.version_id = v.id JOIN blob b ON b.digest = a.digest
                WHERE v.manifest_id > :from AND b.size <> a.size
                """),
        WITHOUT_ASSETS("the version has no asset; publish a new version and yank this one", """
                SELECT r.namespace || '/' || r.name || ':' || v.version AS subject, v.manifest_id AS id FROM version v
                JOIN bundle u ON u.id = v.bundle_id JOIN repository r ON r.id = u.repository_id
                WHERE v.manifest_id > :from AND v.state = 'published'
                AND NOT EXISTS (SELECT 1 FROM asset a WHERE a.version_id = v.id)
                AND NOT EXISTS (SELECT 1 FROM manifest_child c WHERE c.manifest_id = v.manifest_id)
                """);

        private final String broken;
        private final String sql;

        Rule(String broken, String sql) {
            this.broken = broken;
            this.sql = sql;
        }

        /// Returns the fault as a clause.
        String broken() {
            return broken;
        }

        private boolean isOfBlobs() {
            return this == BLOB_CONTENT || this == LIVE_OBJECT || this == LINK;
        }
    }

    private static final String ALL = "true";
    private static final Pattern CONDITION =
            Pattern.compile("\\bWHERE\\b(.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern TREE = Pattern.compile("Tree (\\d+) ");

    /// A row that breaks a rule.
    record Violation(String subject, long id) {}

    private FsckRows() {}

    /// @param latest how many of the newest blobs or manifests are checked; 0 for all
    /// @param limit the limit of results
    static List<Violation> broken(Tx tx, Rule rule, long latest, int limit) {
        return tx.list(
                rule.sql + " ORDER BY 2 LIMIT :limit",
                Violation.class,
                "from",
                latest == 0 ? 0 : highest(tx, rule.isOfBlobs() ? "blob" : "manifest") - latest,
                "limit",
                limit);
    }

    private static long highest(Tx tx, String table) {
        return tx.number("SELECT COALESCE(max(id), 0) FROM " + table);
    }

    static long highestBlob(Tx tx) {
        return highest(tx, "blob");
    }

    static Optional<BlobRecord> blob(Tx tx, long id) {
        return blobs(tx, " WHERE id = :id LIMIT :limit", id, 1).stream().findFirst();
    }

    /// Returns trusted blobs whose bytes are in the blob store, in the order of their ids.
    static List<BlobRecord> stored(Tx tx, long after, int limit) {
        return blobs(
                tx,
                " WHERE id > :id AND object_id IS NOT NULL AND state = 'ok' ORDER BY id LIMIT :limit",
                after,
                limit);
    }

    private static List<BlobRecord> blobs(Tx tx, String condition, long id, int limit) {
        return tx.list("SELECT " + BlobRows.COLUMNS_FROM + condition, BlobRecord.class, "id", id, "limit", limit);
    }

    static Optional<ManifestRecord> manifest(Tx tx, long id) {
        return tx.find(ManifestRows.SELECT + " WHERE id = :id", ManifestRecord.class, "id", id);
    }

    /// Removes the object of a blob from the queue for deletion.
    static void keepObject(Tx tx, long blobId) {
        tx.change(
                "DELETE FROM object_deletion WHERE id = (SELECT object_id FROM blob WHERE id = :blob)", "blob", blobId);
    }

    /// Counts blobs and manifests that wait to be pushed again.
    static long waiting(Tx tx) {
        return tx.number("""
                        SELECT (SELECT count(*) FROM blob WHERE state = 'suspect')
                             + (SELECT count(*) FROM manifest WHERE state = 'suspect')
                        """);
    }

    // --- SQLite's own checks ---

    /// Returns the size of the file in bytes.
    static long sqliteSize(Tx tx) {
        return tx.number("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()");
    }

    /// Returns the faults that SQLite finds in its file.
    ///
    /// @param thorough whether it also compares the indexes with the tables
    static List<String> sqliteFaults(Tx tx, boolean thorough) {
        var faults =
                tx.list(thorough ? "PRAGMA integrity_check(100)" : "PRAGMA quick_check(100)", String.class).stream()
                        .filter(line -> !line.equals("ok"))
                        .toList();
        return faults.isEmpty() ? faults : named(tx, faults);
    }

    /// Returns whether a fault is one of the full-text index, whose pages can all be read.
    static boolean isOfSearch(String fault) {
        return fault.toLowerCase(Locale.ROOT).contains("fts5");
    }

    /// Replaces the numbers of trees by the names of their tables and indexes.
    private static List<String> named(Tx tx, List<String> faults) {
        var trees = new HashMap<String, String>();
        tx.forEach(
                "SELECT rootpage, type || ' ' || name FROM sqlite_schema",
                row -> Map.entry(row.getString(1), row.getString(2)),
                tree -> trees.put(tree.getKey(), tree.getValue()));
        return faults.stream()
                .flatMap(String::lines)
                .map(line -> TREE.matcher(line)
                        .replaceFirst(tree ->
                                Matcher.quoteReplacement(trees.getOrDefault(tree.group(1), tree.group()) + " ")))
                .toList();
    }

    /// A part of the database that can be read alone: a table, or one of its indexes.
    ///
    /// @param index null for the table
    /// @param rows the condition for the rows that it has
    record Part(TableInfo table, @Nullable String index, String rows) {
        String name() {
            return index == null ? "table " + table.name() : "index " + index + " of " + table.name();
        }
    }

    /// Returns all tables, and on SQLite their indexes.
    static List<Part> parts(Tx tx) {
        var parts = new ArrayList<Part>();
        for (TableInfo table : TableCopy.all(tx)) {
            parts.add(new Part(table, null, ALL));
            if (tx.dialect() == SqlDialect.SQLITE) {
                tx.forEach(
                        "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = :table",
                        row -> new Part(table, row.getString(1), condition(row.getString(2))),
                        parts::add,
                        "table",
                        table.name());
            }
        }
        return parts;
    }

    /// Returns the condition of a partial index.
    private static String condition(@Nullable String sql) {
        var partial = sql == null ? null : CONDITION.matcher(sql);
        return partial != null && partial.find() ? partial.group(1) : ALL;
    }

    /// Reads all of a part.
    static boolean isReadable(Tx tx, Part part, Runnable checkpoint) {
        checkpoint.run();
        try {
            if (part.index() == null && tx.dialect() == SqlDialect.POSTGRES) { // some types are not for backups
                tx.forEach("SELECT * FROM " + part.table().name(), row -> true, row -> {});
            } else if (part.index() == null) {
                TableCopy.unordered(tx, part.table(), row -> {});
            } else {
                tx.number("SELECT count(*) FROM " + part.table().name() + " INDEXED BY \"" + part.index() + "\" WHERE "
                        + part.rows());
            }
            return true;
        } catch (RuntimeException e) {
            if (!DatabaseDamage.isCauseOf(e)) {
                throw e;
            }
            return false;
        }
    }

    /// Returns the rows whose foreign keys point to missing rows, as `table, row, table of the missing row`.
    static List<String> sqliteKeys(Tx tx) {
        return tx.list(
                "SELECT \"table\" || ', row ' || COALESCE(rowid, 0) || ', ' || parent"
                        + " FROM pragma_foreign_key_check LIMIT 100",
                String.class);
    }
}
