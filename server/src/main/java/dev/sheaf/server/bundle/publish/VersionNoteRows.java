package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.bundle.check.ContentChecks;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

/// The rows of notes on a version, which do not affect how it is found.
public final class VersionNoteRows {
    private VersionNoteRows() {}

    static void insert(Tx tx, UUID versionId, NewVersion.Notes notes) {
        String message = notes.message();
        if (message != null) {
            tx.later("UPDATE version SET message = :message WHERE id = :id", "message", message, "id", versionId);
        }
        record Row(int position, ContentChecks.Warning warning) {}
        var warnings = notes.warnings();
        var rows = IntStream.range(0, warnings.size())
                .mapToObj(i -> new Row(i, warnings.get(i)))
                .toList();
        tx.laterEach("""
                INSERT INTO version_warning (version_id, position, path, code, detail)
                VALUES (:version, :position, :path, :code, :detail)
                """, rows, "version", versionId);
        PackedRows.insert(tx, versionId, notes.packed());
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
                ContentChecks.Warning.class,
                "version",
                versionId);
    }
}
