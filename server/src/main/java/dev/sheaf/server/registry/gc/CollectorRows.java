package dev.sheaf.server.registry.gc;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.registry.ManifestState;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads and marks rows for the collector. A writing transaction locks rows and skips rows that others hold,
/// so it never waits.
public final class CollectorRows {
    private static final String REPOSITORY =
            "(SELECT r.namespace || '/' || r.name FROM repository r WHERE r.id = %s.repository_id) AS repository";

    private static final String LINKS = "SELECT l.repository_id, l.blob_id, " + REPOSITORY.formatted("l") + """
            , l.look_at, l.leased_until, b.id, b.digest, b.size, b.object_id AS object
            FROM link l JOIN blob b ON b.id = l.blob_id
            """;

    private static final String DUE = " WHERE look_at >= :lookAt AND look_at <= :until ";

    // LIMIT, here and below, and not EXISTS: for EXISTS, PostgreSQL may read a whole table first.
    private static final String NEED = """
            CASE WHEN (SELECT 1 FROM version v WHERE v.manifest_id = m.id LIMIT 1) = 1 THEN 'VERSION'
                 WHEN (SELECT 1 FROM tag t WHERE t.manifest_id = m.id LIMIT 1) = 1 THEN 'TAG'
                 WHEN (SELECT 1 FROM review v WHERE v.manifest_id = m.id LIMIT 1) = 1 THEN 'REVIEW'
                 WHEN (SELECT 1 FROM manifest_child c WHERE c.child_id = m.id LIMIT 1) = 1 THEN 'INDEX'
                 WHEN (SELECT 1 FROM manifest s WHERE s.repository_id = m.repository_id
                       AND s.digest = m.subject_digest LIMIT 1) = 1 THEN 'SUBJECT'
            END AS need
            """;

    private CollectorRows() {}

    // --- manifests ---

    /// Returns the ids of manifests that are due.
    static List<Long> dueManifests(Tx tx, CollectorSweep.From from, int limit) {
        return tx.list("""
                        SELECT id FROM manifest WHERE look_at <= :until AND (look_at, id) > (:lookAt, :first)
                        ORDER BY look_at, id LIMIT :limit
                        """, Long.class, from, "limit", limit);
    }

    /// Returns the ids of manifests that are due, and locks them. The caller sets their next look, so they need no
    /// order within one time, for which PostgreSQL would read all manifests of that time.
    static List<Long> lockManifests(Tx tx, CollectorSweep.From from, int limit) {
        return tx.list(
                "SELECT id FROM manifest" + DUE + "ORDER BY look_at LIMIT :limit"
                        + tx.dialect().skipLocked(),
                Long.class,
                from,
                "limit",
                limit);
    }

    /// Returns the current manifests. After they were locked, this sees everything that could still need them.
    static List<ManifestState> manifests(Tx tx, Collection<Long> ids) {
        return tx.list("""
                        SELECT m.id, %s, m.digest, m.size, m.look_at, m.leased_until, m.created_at,
                               m.released_at, m.released_by, %s
                        FROM manifest m WHERE m.id IN (<ids>) ORDER BY m.look_at, m.id
                        """.formatted(REPOSITORY.formatted("m"), NEED), ManifestState.class, "ids", ids);
    }

    /// Sets when to look at manifests again.
    static void lookAtManifests(Tx tx, Map<Long, Instant> when) {
        tx.each("UPDATE manifest SET look_at = :value WHERE id = :key", when.entrySet());
    }

    /// Returns the links that manifests refer to, once for each reference.
    static List<LinkState.Key> references(Tx tx, Collection<Long> manifestIds) {
        return tx.list(
                "SELECT repository_id, blob_id FROM manifest_blob WHERE manifest_id IN (<ids>)",
                LinkState.Key.class,
                "ids",
                manifestIds);
    }

    // --- links ---

    /// Returns links that are due.
    static List<LinkState> dueLinks(Tx tx, CollectorSweep.From from, int limit) {
        return tx.list(LINKS + """
                        WHERE l.look_at <= :until AND (l.look_at, l.repository_id, l.blob_id) > (:lookAt, :first, :second)
                        ORDER BY l.look_at, l.repository_id, l.blob_id LIMIT :limit
                        """, LinkState.class, from, "limit", limit);
    }

    /// Returns links that are due, and locks them with their blobs. As for manifests, the caller sets their next look.
    static List<LinkState> lockLinks(Tx tx, CollectorSweep.From from, int limit) {
        return tx.list(
                LINKS + DUE + "ORDER BY look_at LIMIT :limit" + tx.dialect().skipLocked(),
                LinkState.class,
                from,
                "limit",
                limit);
    }

    static Optional<LinkState> link(Tx tx, LinkState.Key key) {
        return tx.find(LINKS + " WHERE l.repository_id = :repositoryId AND l.blob_id = :blobId", LinkState.class, key);
    }

    /// Returns the links to which a manifest or a working asset refers. After they were locked, this sees all
    /// references.
    static Set<LinkState.Key> referenced(Tx tx, Collection<LinkState.Key> keys) {
        return Set.copyOf(tx.list(
                """
                        SELECT l.repository_id, l.blob_id FROM link l
                        WHERE l.repository_id IN (<repositories>) AND l.blob_id IN (<blobs>)
                        AND ((SELECT 1 FROM manifest_blob m WHERE m.repository_id = l.repository_id
                              AND m.blob_id = l.blob_id LIMIT 1) = 1
                          OR (SELECT 1 FROM working_asset w WHERE w.repository_id = l.repository_id
                              AND w.blob_id = l.blob_id LIMIT 1) = 1)
                        """,
                LinkState.Key.class,
                "repositories",
                keys.stream().map(LinkState.Key::repositoryId).distinct().toList(),
                "blobs",
                keys.stream().map(LinkState.Key::blobId).distinct().toList()));
    }

    /// Counts the manifests and working assets that refer to a link, up to `limit`.
    static int references(Tx tx, LinkState.Key key, int limit) {
        return (int) tx.number("""
                        SELECT count(*) FROM (
                            SELECT 1 FROM manifest_blob WHERE repository_id = :repositoryId AND blob_id = :blobId
                            UNION ALL
                            SELECT 1 FROM working_asset WHERE repository_id = :repositoryId AND blob_id = :blobId
                            LIMIT :limit) counted
                        """, key, "limit", limit);
    }

    /// Counts the repositories that hold a blob, up to `limit`.
    static int holders(Tx tx, long blobId, int limit) {
        return (int) tx.number(
                "SELECT count(*) FROM (SELECT 1 FROM link WHERE blob_id = :blob LIMIT :limit) counted",
                "blob",
                blobId,
                "limit",
                limit);
    }

    /// Sets when to look at links again.
    static void lookAtLinks(Tx tx, Map<LinkState.Key, Instant> when) {
        record Look(LinkState.Key key, Instant at) {}
        tx.each(
                "UPDATE link SET look_at = :at WHERE repository_id = :repositoryId AND blob_id = :blobId",
                when.entrySet().stream()
                        .map(look -> new Look(look.getKey(), look.getValue()))
                        .toList());
    }
}
