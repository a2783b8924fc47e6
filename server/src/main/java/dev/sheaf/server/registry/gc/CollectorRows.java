package dev.sheaf.server.registry.gc;

import dev.sheaf.model.Digest;
import dev.sheaf.server.blob.ObjectId;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.registry.ManifestState;
import dev.sheaf.server.registry.Release;
import dev.sheaf.server.registry.content.BlobRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What the collector reads and marks. In a transaction that writes, rows are locked and those that others hold
/// passed over; it so waits for nobody.
public final class CollectorRows {
    private static final String REPOSITORY =
            "(SELECT r.namespace || '/' || r.name FROM repository r WHERE r.id = %s.repository_id) AS repository";

    // LIMIT, here and below, and no EXISTS, for which PostgreSQL may read a whole table first.
    private static final String NEED = """
            CASE WHEN (SELECT 1 FROM version v WHERE v.manifest_id = m.id LIMIT 1) = 1 THEN 'VERSION'
                 WHEN (SELECT 1 FROM tag t WHERE t.manifest_id = m.id LIMIT 1) = 1 THEN 'TAG'
                 WHEN (SELECT 1 FROM manifest_child c WHERE c.child_id = m.id LIMIT 1) = 1 THEN 'INDEX'
                 WHEN (SELECT 1 FROM manifest s WHERE s.repository_id = m.repository_id
                       AND s.digest = m.subject_digest LIMIT 1) = 1 THEN 'SUBJECT'
            END AS need
            """;

    /// Where a pass over rows in the order of `look_at` stands.
    public record Cursor(Instant lookAt, long first, long second) {
        public static final Cursor START = new Cursor(Instant.EPOCH, 0, 0);
    }

    private CollectorRows() {}

    // --- manifests ---

    /// The ids of manifests that are due, and locked.
    static List<Long> dueManifests(Tx tx, Sweep.From from, int limit, boolean lock) {
        return tx.list(
                """
                        SELECT id FROM manifest WHERE look_at <= :until AND (look_at, id) > (:look, :id)
                        ORDER BY look_at, id LIMIT :limit
                        """ + (lock ? tx.dialect().skipLocked() : ""),
                Long.class,
                "until",
                from.until(),
                "look",
                from.after().lookAt(),
                "id",
                from.after().first(),
                "limit",
                limit);
    }

    /// Manifests as they are now; asked after they were locked, this sees all that could still need them.
    static List<ManifestState> manifests(Tx tx, Collection<Long> ids) {
        return ids.isEmpty()
                ? List.of()
                : tx.list("""
                                SELECT m.id, %s, m.digest, m.size, m.look_at, m.leased_until, m.created_at,
                                       m.released_at, m.released_by, %s
                                FROM manifest m WHERE m.id IN (<ids>) ORDER BY m.look_at, m.id
                                """.formatted(REPOSITORY.formatted("m"), NEED), CollectorRows::manifest, "ids", ids);
    }

    private static ManifestState manifest(ResultSet row) throws SQLException {
        String need = row.getString("need");
        String by = row.getString("released_by");
        return new ManifestState(
                row.getLong("id"),
                row.getString("repository"),
                Digest.parse(row.getString("digest")),
                row.getLong("size"),
                Instant.ofEpochMilli(row.getLong("look_at")),
                Instant.ofEpochMilli(row.getLong("leased_until")),
                Instant.ofEpochMilli(row.getLong("created_at")),
                need == null ? null : ManifestState.Need.valueOf(need),
                by == null
                        ? Optional.empty()
                        : Optional.of(new ManifestState.Released(
                                Instant.ofEpochMilli(row.getLong("released_at")), Release.parse(by))));
    }

    /// Says when to look at manifests again.
    static void lookAtManifests(Tx tx, Map<Long, Instant> when) {
        var batch = tx.handle().prepareBatch("UPDATE manifest SET look_at = :when WHERE id = :id");
        when.forEach((id, time) -> batch.bind("when", time).bind("id", id).add());
        if (batch.size() > 0) {
            batch.execute();
        }
    }

    /// The links that manifests refer to, once for each that does.
    static List<LinkState.Key> references(Tx tx, Collection<Long> manifestIds) {
        return tx.list(
                "SELECT repository_id, blob_id FROM manifest_blob WHERE manifest_id IN (<ids>)",
                CollectorRows::key,
                "ids",
                manifestIds);
    }

    // --- links ---

    /// Links that are due, and locked with their blobs.
    static List<LinkState> dueLinks(Tx tx, Sweep.From from, int limit, boolean lock) {
        return tx.list(
                links("""
                        WHERE l.look_at <= :until AND (l.look_at, l.repository_id, l.blob_id) > (:look, :repository, :blob)
                        ORDER BY l.look_at, l.repository_id, l.blob_id LIMIT :limit
                        """) + (lock ? tx.dialect().skipLocked() : ""),
                CollectorRows::link,
                "until",
                from.until(),
                "look",
                from.after().lookAt(),
                "repository",
                from.after().first(),
                "blob",
                from.after().second(),
                "limit",
                limit);
    }

    static Optional<LinkState> link(Tx tx, LinkState.Key key) {
        return tx.find(
                links("WHERE l.repository_id = :repository AND l.blob_id = :blob"),
                CollectorRows::link,
                "repository",
                key.repositoryId(),
                "blob",
                key.blobId());
    }

    private static String links(String where) {
        return "SELECT l.repository_id, " + REPOSITORY.formatted("l") + """
                , l.blob_id, l.look_at, l.leased_until, b.digest, b.size, b.object_id
                FROM link l JOIN blob b ON b.id = l.blob_id
                """ + where;
    }

    private static LinkState link(ResultSet row) throws SQLException {
        String object = row.getString("object_id");
        return new LinkState(
                key(row),
                row.getString("repository"),
                new BlobRecord(
                        row.getLong("blob_id"),
                        Digest.parse(row.getString("digest")),
                        row.getLong("size"),
                        object == null ? null : ObjectId.parse(object)),
                Instant.ofEpochMilli(row.getLong("look_at")),
                Instant.ofEpochMilli(row.getLong("leased_until")));
    }

    private static LinkState.Key key(ResultSet row) throws SQLException {
        return new LinkState.Key(row.getLong("repository_id"), row.getLong("blob_id"));
    }

    /// Those of the links to which a manifest or a working asset refers; asked after they were locked, this sees
    /// all that could.
    static Set<LinkState.Key> referenced(Tx tx, Collection<LinkState.Key> keys) {
        return keys.isEmpty()
                ? Set.of()
                : tx.handle()
                        .createQuery("""
                                SELECT l.repository_id, l.blob_id FROM link l
                                WHERE l.repository_id IN (<repositories>) AND l.blob_id IN (<blobs>)
                                AND ((SELECT 1 FROM manifest_blob m WHERE m.repository_id = l.repository_id
                                      AND m.blob_id = l.blob_id LIMIT 1) = 1
                                  OR (SELECT 1 FROM working_asset w WHERE w.repository_id = l.repository_id
                                      AND w.blob_id = l.blob_id LIMIT 1) = 1)
                                """)
                        .bindList(
                                "repositories",
                                keys.stream()
                                        .map(LinkState.Key::repositoryId)
                                        .distinct()
                                        .toList())
                        .bindList(
                                "blobs",
                                keys.stream()
                                        .map(LinkState.Key::blobId)
                                        .distinct()
                                        .toList())
                        .map((row, context) -> key(row))
                        .set();
    }

    /// How many manifests and working assets refer to a link; no more are counted than `limit`.
    static int references(Tx tx, LinkState.Key key, int limit) {
        return (int) tx.number("""
                        SELECT count(*) FROM (
                            SELECT 1 FROM manifest_blob WHERE repository_id = :repository AND blob_id = :blob
                            UNION ALL
                            SELECT 1 FROM working_asset WHERE repository_id = :repository AND blob_id = :blob
                            LIMIT :limit) counted
                        """, "repository", key.repositoryId(), "blob", key.blobId(), "limit", limit);
    }

    /// How many repositories hold a blob; no more are counted than `limit`.
    static int holders(Tx tx, long blobId, int limit) {
        return (int) tx.number(
                "SELECT count(*) FROM (SELECT 1 FROM link WHERE blob_id = :blob LIMIT :limit) counted",
                "blob",
                blobId,
                "limit",
                limit);
    }

    /// Says when to look at links again.
    static void lookAtLinks(Tx tx, Map<LinkState.Key, Instant> when) {
        var batch = tx.handle()
                .prepareBatch("UPDATE link SET look_at = :when WHERE repository_id = :repository AND blob_id = :blob");
        when.forEach((key, time) -> batch.bind("when", time)
                .bind("repository", key.repositoryId())
                .bind("blob", key.blobId())
                .add());
        if (batch.size() > 0) {
            batch.execute();
        }
    }
}
