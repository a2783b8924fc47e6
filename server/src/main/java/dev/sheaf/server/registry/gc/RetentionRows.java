package dev.sheaf.server.registry.gc;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import java.util.List;
import java.util.Optional;

/// Reads the names of the things that keep content.
final class RetentionRows {
    static final int SHOWN = 100;

    private RetentionRows() {}

    static List<String> tags(Tx tx, long manifestId) {
        return names(tx, "SELECT name FROM tag WHERE manifest_id = :id ORDER BY name", manifestId);
    }

    static List<String> indexes(Tx tx, long manifestId) {
        return names(tx, """
                SELECT m.digest FROM manifest_child c JOIN manifest m ON m.id = c.manifest_id
                WHERE c.child_id = :id ORDER BY m.id
                """, manifestId);
    }

    private static List<String> names(Tx tx, String query, long id) {
        return tx.list(query + " LIMIT :limit", String.class, "id", id, "limit", SHOWN);
    }

    /// Returns the manifests of the repository that refer to a blob.
    static List<String> manifests(Tx tx, LinkState.Key link) {
        return tx.list("""
                        SELECT m.digest FROM manifest_blob b JOIN manifest m ON m.id = b.manifest_id
                        WHERE b.repository_id = :repository AND b.blob_id = :blob ORDER BY m.id LIMIT :limit
                        """, String.class, "repository", link.repositoryId(), "blob", link.blobId(), "limit", SHOWN);
    }

    /// Returns the link of the repository to a blob, damaged or not.
    static Optional<LinkState.Key> link(Tx tx, long repositoryId, Digest digest) {
        return tx.find("""
                        SELECT l.repository_id, l.blob_id FROM link l JOIN blob b ON b.id = l.blob_id
                        WHERE b.digest = :digest AND l.repository_id = :repository
                        """, LinkState.Key.class, "digest", digest, "repository", repositoryId);
    }
}
