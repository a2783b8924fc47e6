package dev.sheaf.server.registry.gc;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.BlobRecord;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

final class RemovalRows {
    private static final int HOLDERS = 10;

    private static final String NEEDED = """
            EXISTS (SELECT 1 FROM manifest_blob m WHERE m.repository_id = link.repository_id AND m.blob_id = link.blob_id)
            OR EXISTS (SELECT 1 FROM working_asset w
                       WHERE w.repository_id = link.repository_id AND w.blob_id = link.blob_id)
            """;

    /// A manifest that may have to be deleted.
    record Ref(long id, Digest digest) {}

    private RemovalRows() {}

    /// Returns whether the manifest exists and no version, tag or index needs it.
    static boolean isFree(Tx tx, long manifestId) {
        return tx.has("""
                        SELECT 1 FROM manifest m WHERE m.id = :manifest
                          AND NOT EXISTS (SELECT 1 FROM version v WHERE v.manifest_id = m.id)
                          AND NOT EXISTS (SELECT 1 FROM tag t WHERE t.manifest_id = m.id)
                          AND NOT EXISTS (SELECT 1 FROM manifest_child c WHERE c.child_id = m.id)
                        """, "manifest", manifestId);
    }

    static List<Ref> children(Tx tx, long manifestId) {
        return tx.list("""
                        SELECT m.id, m.digest FROM manifest_child c JOIN manifest m ON m.id = c.child_id
                        WHERE c.manifest_id = :manifest ORDER BY m.id
                        """, Ref.class, "manifest", manifestId);
    }

    static List<Ref> referrers(Tx tx, long repositoryId, Digest subject) {
        return tx.list("""
                        SELECT id, digest FROM manifest WHERE repository_id = :repository AND subject_digest = :subject
                        ORDER BY id
                        """, Ref.class, "repository", repositoryId, "subject", subject);
    }

    static List<Long> blobs(Tx tx, long manifestId) {
        return tx.list(
                "SELECT blob_id FROM manifest_blob WHERE manifest_id = :manifest", Long.class, "manifest", manifestId);
    }

    /// Returns the blobs that a manifest of the repository refers to.
    static Set<Long> referred(Tx tx, long repositoryId, Collection<Long> ids) {
        return new TreeSet<>(tx.list("""
                        SELECT DISTINCT blob_id FROM manifest_blob
                        WHERE repository_id = :repository AND blob_id IN (<ids>)
                        """, Long.class, "repository", repositoryId, "ids", ids));
    }

    /// Returns and locks the rows of blobs, in the order of their digests, as uploads do. Nobody can link them
    /// until the transaction ends.
    static List<BlobRecord> lock(Tx tx, Collection<Long> ids) {
        return tx.list(
                "SELECT id, digest, size, object_id AS object FROM blob WHERE id IN (<ids>) ORDER BY digest"
                        + tx.dialect().forDelete(),
                BlobRecord.class,
                "ids",
                ids);
    }

    /// Returns the blobs that the repository is linked to although nothing in it needs them.
    static Set<Long> unneeded(Tx tx, long repositoryId, Collection<Long> ids) {
        return new TreeSet<>(tx.list(
                "SELECT blob_id FROM link WHERE repository_id = :repository AND blob_id IN (<ids>) AND NOT (" + NEEDED
                        + ")",
                Long.class,
                "repository",
                repositoryId,
                "ids",
                ids));
    }

    /// Returns up to ten things of the repository's organization that need a blob.
    static List<String> holders(Tx tx, Repository repository, long blobId) {
        return tx.list(
                """
                        SELECT * FROM (
                            SELECT r.namespace || '/' || r.name || '@' || m.digest AS holder
                            FROM manifest_blob b JOIN manifest m ON m.id = b.manifest_id
                            JOIN repository r ON r.id = m.repository_id JOIN namespace n ON n.name = r.namespace
                            WHERE b.blob_id = :blob AND n.organization_id = :organization
                            UNION
                            SELECT r.namespace || '/' || r.name FROM link l JOIN repository r ON r.id = l.repository_id
                            JOIN namespace n ON n.name = r.namespace
                            WHERE l.blob_id = :blob AND n.organization_id = :organization AND NOT EXISTS
                                  (SELECT 1 FROM manifest_blob b
                                   WHERE b.repository_id = l.repository_id AND b.blob_id = l.blob_id)
                        ) held ORDER BY holder LIMIT :limit
                        """, String.class, "blob", blobId, "organization", repository.organizationId(), "limit", HOLDERS);
    }

    static void clearTags(Tx tx, long repositoryId) {
        tx.change("DELETE FROM tag WHERE repository_id = :repository", "repository", repositoryId);
        tx.change("""
                        DELETE FROM manifest_child WHERE manifest_id IN
                            (SELECT id FROM manifest WHERE repository_id = :repository)
                        """, "repository", repositoryId);
    }

    static List<Long> manifests(Tx tx, long repositoryId, int limit) {
        return tx.list(
                "SELECT id FROM manifest WHERE repository_id = :repository ORDER BY id LIMIT :limit",
                Long.class,
                "repository",
                repositoryId,
                "limit",
                limit);
    }

    static List<Long> links(Tx tx, long repositoryId, int limit) {
        return tx.list(
                "SELECT blob_id FROM link WHERE repository_id = :repository ORDER BY blob_id LIMIT :limit",
                Long.class,
                "repository",
                repositoryId,
                "limit",
                limit);
    }
}
