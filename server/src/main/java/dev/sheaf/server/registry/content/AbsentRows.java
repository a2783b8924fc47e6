package dev.sheaf.server.registry.content;

import dev.sheaf.model.Digest;
import dev.sheaf.server.db.Tx;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// What manifests name and their repositories do not hold. A row becomes a reference as soon as the content comes.
final class AbsentRows {
    private static final String BLOB = "blob";
    private static final String MANIFEST = "manifest";

    private record Waiting(long manifestId, long targetId) {}

    private AbsentRows() {}

    static void insertBlobs(Tx tx, long manifestId, long repositoryId, Collection<Digest> digests) {
        insert(tx, manifestId, repositoryId, BLOB, digests);
    }

    static void insertChildren(Tx tx, long manifestId, long repositoryId, Collection<Digest> digests) {
        insert(tx, manifestId, repositoryId, MANIFEST, digests);
    }

    private static void insert(Tx tx, long manifestId, long repositoryId, String kind, Collection<Digest> digests) {
        var batch = tx.handle().prepareBatch("""
                INSERT INTO manifest_absent (manifest_id, kind, digest, repository_id)
                VALUES (:manifest, :kind, :digest, :repository)
                """);
        digests.forEach(digest -> batch.bind("manifest", manifestId)
                .bind("kind", kind)
                .bind("digest", digest)
                .bind("repository", repositoryId)
                .add());
        if (batch.size() > 0) {
            batch.execute();
        }
    }

    /// One of the things that a manifest lacks.
    static Optional<Digest> first(Tx tx, long manifestId) {
        return tx.handle()
                .createQuery("SELECT digest FROM manifest_absent WHERE manifest_id = :manifest ORDER BY digest LIMIT 1")
                .bind("manifest", manifestId)
                .mapTo(Digest.class)
                .findOne();
    }

    /// Makes the manifests that wait for these blobs refer to them. The repository is linked to the blobs already.
    static void fillBlobs(Tx tx, long repositoryId, Collection<Long> blobIds) {
        var waiting = tx.handle()
                .createQuery("""
                        SELECT a.manifest_id, b.id AS target_id
                        FROM manifest_absent a JOIN blob b ON b.digest = a.digest JOIN manifest m ON m.id = a.manifest_id
                        WHERE a.repository_id = :repository AND a.kind = 'blob' AND b.id IN (<blobs>)
                        ORDER BY a.manifest_id, b.id
                        """ + tx.dialect().keyShare())
                .bind("repository", repositoryId)
                .bindList("blobs", List.copyOf(blobIds))
                .map((row, context) -> new Waiting(row.getLong("manifest_id"), row.getLong("target_id")))
                .list();
        for (var one : waiting) {
            ManifestRows.insertBlobs(tx, one.manifestId(), repositoryId, List.of(one.targetId()));
            tx.handle()
                    .createUpdate("""
                            DELETE FROM manifest_absent WHERE manifest_id = :manifest AND kind = 'blob'
                            AND digest = (SELECT digest FROM blob WHERE id = :blob)
                            """)
                    .bind("manifest", one.manifestId())
                    .bind("blob", one.targetId())
                    .execute();
        }
    }

    /// Makes the indexes that wait for a manifest list it. Its row is there already.
    static void fillChild(Tx tx, long repositoryId, long manifestId, Digest digest) {
        var waiting = tx.handle()
                .createQuery("""
                        SELECT a.manifest_id FROM manifest_absent a JOIN manifest m ON m.id = a.manifest_id
                        WHERE a.repository_id = :repository AND a.kind = 'manifest' AND a.digest = :digest
                        ORDER BY a.manifest_id
                        """ + tx.dialect().keyShare())
                .bind("repository", repositoryId)
                .bind("digest", digest)
                .mapTo(Long.class)
                .list();
        for (long index : waiting) {
            ManifestRows.insertChildren(tx, index, List.of(manifestId));
            tx.handle()
                    .createUpdate("""
                            DELETE FROM manifest_absent
                            WHERE manifest_id = :index AND kind = 'manifest' AND digest = :digest
                            """)
                    .bind("index", index)
                    .bind("digest", digest)
                    .execute();
        }
    }
}
