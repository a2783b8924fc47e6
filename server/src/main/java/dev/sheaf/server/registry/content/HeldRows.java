package dev.sheaf.server.registry.content;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.registry.Repository;
import java.util.Collection;

/// The manifests that only writers and reviewers may read, because no approved version has them yet.
public final class HeldRows {
    private static final String WAITS =
            "EXISTS (SELECT 1 FROM review v WHERE v.manifest_id = manifest.id AND v.state = 'held')";

    private HeldRows() {}

    /// Gives the manifest of a version or a tag to all readers, with those that it lists, and with statements about
    /// it, such as signatures. Not what waits for approval by itself.
    public static void open(Tx tx, Repository repository, long manifestId) {
        if (!repository.hasHeld() && !repository.isReviewed()) {
            return;
        }
        tx.change("UPDATE manifest SET held = 0 WHERE id = :manifest AND held = 1", "manifest", manifestId);
        tx.change("""
                        WITH RECURSIVE below (id) AS (
                            SELECT child_id FROM manifest_child WHERE manifest_id = :manifest
                            UNION
                            SELECT c.child_id FROM manifest_child c JOIN below ON c.manifest_id = below.id)
                        UPDATE manifest SET held = 0
                        WHERE held = 1 AND id IN (SELECT id FROM below) AND NOT\s""" + WAITS, "manifest", manifestId);
        tx.change("""
                        UPDATE manifest SET held = 0
                        WHERE repository_id = :repository AND held = 1
                        AND subject_digest = (SELECT m.digest FROM manifest m WHERE m.id = :manifest)
                        AND (artifact_type IS NULL OR artifact_type <> :bundle)
                        AND NOT EXISTS (SELECT 1 FROM manifest_child c WHERE c.manifest_id = manifest.id)
                        AND NOT EXISTS (
                            SELECT 1 FROM manifest_blob b
                            JOIN manifest_blob o ON o.repository_id = b.repository_id AND o.blob_id = b.blob_id
                            JOIN manifest h ON h.id = o.manifest_id
                            WHERE b.manifest_id = manifest.id AND h.held = 1 AND h.id <> manifest.id)
                        AND NOT EXISTS (SELECT 1 FROM review v WHERE v.manifest_id = manifest.id)
                        """, "manifest", manifestId, "repository", repository.id(), "bundle", MediaType.BUNDLE);
    }

    /// Keeps from readers, when a bundle whose versions are checked becomes public, all manifests that are neither
    /// versions, nor parts of them, nor statements about them: nobody approved them.
    public static void close(Tx tx, Repository repository) {
        if (!repository.isReviewed()) {
            return;
        }
        tx.change("""
                        WITH RECURSIVE kept (id) AS (
                            SELECT v.manifest_id FROM version v JOIN manifest o ON o.id = v.manifest_id
                            WHERE o.repository_id = :repository
                            UNION
                            SELECT c.child_id FROM manifest_child c JOIN kept ON c.manifest_id = kept.id)
                        UPDATE manifest SET held = 1
                        WHERE repository_id = :repository AND held = 0 AND id NOT IN (SELECT id FROM kept)
                        AND NOT (
                            subject_digest IS NOT NULL
                            AND subject_digest IN (SELECT s.digest FROM manifest s WHERE s.id IN (SELECT id FROM kept))
                            AND (artifact_type IS NULL OR artifact_type <> :bundle)
                            AND NOT EXISTS (SELECT 1 FROM manifest_child c WHERE c.manifest_id = manifest.id))
                        """, "repository", repository.id(), "bundle", MediaType.BUNDLE);
    }

    /// Returns whether a manifest only says something about one that readers may get. A bundle does not, nor does what
    /// lists other manifests or has content that waits for approval.
    static boolean isStatement(Tx tx, Repository repository, ManifestDocument document, Collection<Long> blobs) {
        boolean isPlain = document.manifests().isEmpty()
                && !document.artifactType().filter(MediaType.BUNDLE::equals).isPresent();
        return isPlain
                && document.subject()
                        .filter(subject -> tx.has(
                                "SELECT 1 FROM manifest WHERE repository_id = :repository AND digest = :subject AND held = 0",
                                "repository",
                                repository.id(),
                                "subject",
                                subject))
                        .isPresent()
                && (blobs.isEmpty() || !tx.has("""
                                SELECT 1 FROM manifest_blob b JOIN manifest m ON m.id = b.manifest_id
                                WHERE b.repository_id = :repository AND b.blob_id IN (<blobs>) AND m.held = 1 LIMIT 1
                                """, "repository", repository.id(), "blobs", blobs));
    }
}
