package dev.sheaf.server.apm;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/// The rows of archives that came with versions.
final class ApmArchiveRows {
    private ApmArchiveRows() {}

    /// An archive as it was sent, with its size in bytes.
    record Sent(UUID versionId, String mediaType, Digest digest, long size) {}

    static List<Sent> list(Tx tx, Collection<UUID> versions) {
        return tx.list(
                "SELECT version_id, media_type, digest, size FROM apm_archive WHERE version_id IN (<ids>)",
                Sent.class,
                "ids",
                versions);
    }

    static void insert(Tx tx, Sent archive) {
        tx.later("""
                INSERT INTO apm_archive (version_id, media_type, digest, size)
                VALUES (:versionId, :mediaType, :digest, :size)
                """, archive);
    }
}
