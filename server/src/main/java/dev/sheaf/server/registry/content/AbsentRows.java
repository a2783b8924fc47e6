package dev.sheaf.server.registry.content;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Content that manifests name but their repositories do not hold. A row becomes a reference as soon as the
/// content arrives.
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
        tx.laterEach("""
                        INSERT INTO manifest_absent (manifest_id, kind, digest, repository_id)
                        VALUES (:manifest, :kind, :each, :repository)
                        """, digests, "manifest", manifestId, "kind", kind, "repository", repositoryId);
    }

    /// Returns one digest that a manifest lacks.
    static Optional<Digest> first(Tx tx, long manifestId) {
        return tx.find(
                "SELECT digest FROM manifest_absent WHERE manifest_id = :manifest ORDER BY digest LIMIT 1",
                Digest.class,
                "manifest",
                manifestId);
    }

    /// Makes manifests that wait for these blobs refer to them. The repository must already be linked to the
    /// blobs.
    static void fillBlobs(Tx tx, long repositoryId, Collection<Long> blobIds) {
        tx.soon("""
                        SELECT a.manifest_id, b.id AS target_id
                        FROM manifest_absent a JOIN blob b ON b.digest = a.digest JOIN manifest m ON m.id = a.manifest_id
                        WHERE a.repository_id = :repository AND a.kind = 'blob' AND b.id IN (<blobs>)
                        ORDER BY a.manifest_id, b.id
                        """ + tx.dialect().keyShare(), Waiting.class, "repository", repositoryId, "blobs", blobIds)
                .then(waiting -> waiting.forEach(one -> fillBlob(tx, repositoryId, one)));
    }

    private static void fillBlob(Tx tx, long repositoryId, Waiting one) {
        ManifestRows.insertBlobs(tx, one.manifestId(), repositoryId, List.of(one.targetId()));
        tx.later("""
                        DELETE FROM manifest_absent WHERE manifest_id = :manifest AND kind = 'blob'
                        AND digest = (SELECT digest FROM blob WHERE id = :blob)
                        """, "manifest", one.manifestId(), "blob", one.targetId());
    }

    /// Makes indexes that wait for a manifest list it. Its row must already exist.
    static void fillChild(Tx tx, long repositoryId, long manifestId, Digest digest) {
        var waiting = tx.list("""
                        SELECT a.manifest_id FROM manifest_absent a JOIN manifest m ON m.id = a.manifest_id
                        WHERE a.repository_id = :repository AND a.kind = 'manifest' AND a.digest = :digest
                        ORDER BY a.manifest_id
                        """ + tx.dialect().keyShare(), Long.class, "repository", repositoryId, "digest", digest);
        for (long index : waiting) {
            ManifestRows.insertChildren(tx, index, List.of(manifestId));
            tx.change("""
                            DELETE FROM manifest_absent
                            WHERE manifest_id = :index AND kind = 'manifest' AND digest = :digest
                            """, "index", index, "digest", digest);
        }
    }
}
