package dev.sheaf.server.bundle.publish;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.server.bundle.check.ContentChecks;
import dev.sheaf.server.db.Tx;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// What is kept beside a version that neither names nor finds it.
public final class VersionNoteRows {
    private VersionNoteRows() {}

    static void insert(Tx tx, UUID versionId, Publication.Notes notes) {
        if (notes.message() != null) {
            tx.change(
                    "UPDATE version SET message = :message WHERE id = :version",
                    "message",
                    notes.message(),
                    "version",
                    versionId);
        }
        var batch = tx.handle().prepareBatch("""
                INSERT INTO version_warning (version_id, position, path, code, detail)
                VALUES (:version, :position, :path, :code, :detail)
                """);
        int position = 0;
        for (var warning : notes.warnings()) {
            batch.bind("version", versionId)
                    .bind("position", position++)
                    .bind("path", warning.path())
                    .bind("code", warning.code())
                    .bind("detail", warning.detail())
                    .add();
        }
        if (position > 0) {
            batch.execute();
        }
    }

    public static Optional<String> message(Tx tx, UUID versionId) {
        return tx.find(
                "SELECT message FROM version WHERE id = :version AND message IS NOT NULL",
                String.class,
                "version",
                versionId);
    }

    public static List<ContentChecks.Warning> warnings(Tx tx, UUID versionId) {
        return tx.list(
                "SELECT path, code, detail FROM version_warning WHERE version_id = :version ORDER BY position",
                row -> new ContentChecks.Warning(
                        new LogicalPath(row.getString("path")), row.getString("code"), row.getString("detail")),
                "version",
                versionId);
    }
}
