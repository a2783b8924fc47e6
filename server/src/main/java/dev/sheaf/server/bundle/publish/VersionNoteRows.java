package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.bundle.check.ContentChecks;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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

    /// What a list shows of the notes on a version.
    ///
    /// @param message the first 300 characters
    public record Brief(UUID id, @Nullable String message, long warnings) {}

    /// Returns the notes on versions, by version.
    public static Map<UUID, Brief> brief(Tx tx, Collection<UUID> versions) {
        if (versions.isEmpty()) {
            return Map.of();
        }
        return tx.list("""
                        SELECT v.id, substr(v.message, 1, 300) AS message,
                               (SELECT count(*) FROM version_warning w WHERE w.version_id = v.id) AS warnings
                        FROM version v WHERE v.id IN (<ids>)
                        """, Brief.class, "ids", versions).stream()
                .collect(Collectors.toMap(Brief::id, Function.identity()));
    }

    public static List<ContentChecks.Warning> warnings(Tx tx, UUID versionId) {
        return tx.list(
                "SELECT path, code, detail FROM version_warning WHERE version_id = :version ORDER BY position",
                ContentChecks.Warning.class,
                "version",
                versionId);
    }
}
