package dev.sheaf.server.registry.content;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.registry.Repository;

/// The manifests that only writers and reviewers may read, because no approved version has them yet.
public final class HeldRows {
    private HeldRows() {}

    /// Gives the manifest of a version or a tag to all readers, with those that it lists, and with what refers to
    /// it.
    public static void open(Tx tx, Repository repository, long manifestId) {
        if (!repository.hasHeld() && !repository.isReviewed()) {
            return;
        }
        tx.change("UPDATE manifest SET held = 0 WHERE id = :manifest AND held = 1", "manifest", manifestId);
        tx.change("""
                        UPDATE manifest SET held = 0
                        WHERE repository_id = :repository AND held = 1
                        AND subject_digest = (SELECT m.digest FROM manifest m WHERE m.id = :manifest)
                        AND NOT EXISTS (SELECT 1 FROM review v WHERE v.manifest_id = manifest.id)
                        """, "manifest", manifestId, "repository", repository.id());
        while (openChildren(tx, repository) > 0) {
            // an index may list indexes
        }
    }

    private static int openChildren(Tx tx, Repository repository) {
        return tx.change("""
                        UPDATE manifest SET held = 0 WHERE repository_id = :repository AND held = 1 AND id IN (
                            SELECT c.child_id FROM manifest p JOIN manifest_child c ON c.manifest_id = p.id
                            WHERE p.repository_id = :repository AND p.held = 0)
                        """, "repository", repository.id());
    }

    /// Returns whether a manifest refers to one that readers may get.
    static boolean refersToOpen(Tx tx, Repository repository, ManifestDocument document) {
        return document.subject()
                .filter(subject -> tx.has(
                        "SELECT 1 FROM manifest WHERE repository_id = :repository AND digest = :subject AND held = 0",
                        "repository",
                        repository.id(),
                        "subject",
                        subject))
                .isPresent();
    }
}
