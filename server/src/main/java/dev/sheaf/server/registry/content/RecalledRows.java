package dev.sheaf.server.registry.content;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.registry.Repository;
import java.util.Collection;

/// The manifests that a recall takes from readers, and the blobs that nothing else has.
public final class RecalledRows {
    private static final String OF_ITS_OWN = """
            AND NOT EXISTS (SELECT 1 FROM version v WHERE v.manifest_id = manifest.id)
            AND NOT EXISTS (SELECT 1 FROM tag t WHERE t.manifest_id = manifest.id)
            """;

    private RecalledRows() {}

    /// Takes the manifest of a recalled version from readers, with what only it brings: manifests that only it
    /// lists, and what refers to it now, such as an archive of it. Signatures stay readable, and what is a
    /// version or has a tag of its own. Repeating it changes nothing.
    public static void recall(Tx tx, Repository repository, long manifestId) {
        tx.change("UPDATE manifest SET recalled_by_id = :manifest WHERE id = :manifest", "manifest", manifestId);
        tx.change("""
                        UPDATE manifest SET recalled_by_id = :manifest
                        WHERE repository_id = :repository AND recalled_by_id IS NULL
                        AND subject_digest = (SELECT m.digest FROM manifest m WHERE m.id = :manifest)
                        AND NOT EXISTS (SELECT 1 FROM signature s WHERE s.manifest_id = manifest.id)
                        """ + OF_ITS_OWN, "manifest", manifestId, "repository", repository.id());
        while (children(tx, repository, manifestId) > 0) {
            // an index may list indexes
        }
    }

    private static int children(Tx tx, Repository repository, long manifestId) {
        return tx.change("""
                        UPDATE manifest SET recalled_by_id = :manifest WHERE recalled_by_id IS NULL AND id IN (
                            SELECT c.child_id FROM manifest p JOIN manifest_child c ON c.manifest_id = p.id
                            WHERE p.repository_id = :repository AND p.recalled_by_id = :manifest)
                        AND NOT EXISTS (SELECT 1 FROM manifest_child c JOIN manifest p ON p.id = c.manifest_id
                                        WHERE c.child_id = manifest.id AND p.recalled_by_id IS NULL)
                        """ + OF_ITS_OWN, "manifest", manifestId, "repository", repository.id());
    }

    /// Gives back what [#recall] took for these manifests, except what other recalled versions have too.
    public static void unrecall(Tx tx, Repository repository, Collection<Long> manifestIds) {
        if (manifestIds.isEmpty()) {
            return;
        }
        tx.change(
                "UPDATE manifest SET recalled_by_id = NULL WHERE repository_id = :repository"
                        + " AND recalled_by_id IN (<manifests>)",
                "repository",
                repository.id(),
                "manifests",
                manifestIds);
        tx.list(
                        "SELECT id FROM manifest WHERE repository_id = :repository AND recalled_by_id = id",
                        Long.class,
                        "repository",
                        repository.id())
                .forEach(other -> recall(tx, repository, other));
    }

    /// Returns the manifest of a recalled version that has a blob.
    public static long recalling(Tx tx, Repository repository, long blobId) {
        return tx.number("""
                        SELECT min(m.recalled_by_id) FROM manifest_blob b JOIN manifest m ON m.id = b.manifest_id
                        WHERE b.repository_id = :repository AND b.blob_id = :blob
                        """, "repository", repository.id(), "blob", blobId);
    }

    private record Users(long all, long recalled, long open) {}

    /// Returns who may read a blob, by the manifests that refer to it.
    static BlobAccess access(Tx tx, Repository repository, long blobId) {
        var users = tx.one("""
                        SELECT count(*) AS "all", count(m.recalled_by_id) AS recalled,
                               count(CASE WHEN m.recalled_by_id IS NULL AND m.held = 0 THEN 1 END) AS open
                        FROM manifest_blob b JOIN manifest m ON m.id = b.manifest_id
                        WHERE b.repository_id = :repository AND b.blob_id = :blob
                        """, Users.class, "repository", repository.id(), "blob", blobId);
        if (users.open() > 0) {
            return BlobAccess.OPEN;
        }
        if (users.all() > 0 && users.recalled() == users.all()) {
            return BlobAccess.RECALLED;
        }
        return users.all() > 0 || repository.isReviewed() ? BlobAccess.HELD : BlobAccess.OPEN;
    }
}
