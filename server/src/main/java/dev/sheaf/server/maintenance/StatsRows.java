package dev.sheaf.server.maintenance;

import dev.sheaf.server.db.Tx;
import java.util.LinkedHashMap;
import java.util.Map;

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

    private StatsRows() {}

    /// Returns the counts in the order in which they are shown.
    static Map<String, Long> count(Tx tx) {
        var counts = new LinkedHashMap<String, Long>();
        QUERIES.forEach((name, query) -> counts.put(name, tx.number(query)));
        return counts;
    }
}
