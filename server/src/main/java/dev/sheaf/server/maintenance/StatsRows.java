package dev.sheaf.server.maintenance;

import dev.sheaf.engine.db.Tx;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// Counts rows of the whole installation. Reads some indexes completely, so it is for administrators, not for
/// frequent requests.
final class StatsRows {
    private static final Map<String, String> QUERIES = new LinkedHashMap<>();

    static {
        QUERIES.put("organizations", "SELECT count(*) FROM organization");
        QUERIES.put("namespaces", "SELECT count(*) FROM namespace");
        QUERIES.put("apiKeys", "SELECT count(*) FROM api_key WHERE revoked_at IS NULL");
        QUERIES.put("repositories", "SELECT count(*) FROM repository");
        QUERIES.put("bundles", "SELECT count(*) FROM bundle WHERE deleted_at IS NULL");
        QUERIES.put("versions", "SELECT count(*) FROM version");
        QUERIES.put("tags", "SELECT count(*) FROM tag");
        QUERIES.put("manifests", "SELECT count(*) FROM manifest");
        QUERIES.put("manifestBytes", "SELECT coalesce(sum(size), 0) FROM manifest");
        QUERIES.put("blobs", "SELECT count(*) FROM blob");
        QUERIES.put("blobBytes", "SELECT coalesce(sum(size), 0) FROM blob");
        QUERIES.put("blobsInDatabase", "SELECT count(*) FROM blob WHERE object_id IS NULL");
        QUERIES.put("damagedBlobs", "SELECT count(*) FROM blob WHERE state <> 'ok'");
        QUERIES.put("blobLinks", "SELECT count(*) FROM link");
        QUERIES.put("linkedBytes", "SELECT coalesce(sum(b.size), 0) FROM link l JOIN blob b ON b.id = l.blob_id");
        QUERIES.put("uploads", "SELECT count(*) FROM upload");
        QUERIES.put("deletionsQueued", "SELECT count(*) FROM object_deletion");
    }

    /// Counts of things that only tasks are about.
    private static final Map<String, String> OF_TASKS = Map.of(
            "sessions",
            "SELECT count(*) FROM session WHERE ended_at IS NULL AND ends_at > :now AND idle_until > :now",
            "straysAside",
            "SELECT count(*) FROM stray WHERE aside_at IS NOT NULL");

    private StatsRows() {}

    /// Returns one of the counts, or one of those that only tasks are about.
    static long count(Tx tx, String name) {
        String query = QUERIES.get(name);
        return tx.number(query == null ? Objects.requireNonNull(OF_TASKS.get(name)) : query);
    }

    /// Returns the counts in the order in which they are shown.
    static Map<String, Long> count(Tx tx) {
        var counts = new LinkedHashMap<String, Long>();
        QUERIES.forEach((name, query) -> counts.put(name, tx.number(query)));
        return counts;
    }
}
