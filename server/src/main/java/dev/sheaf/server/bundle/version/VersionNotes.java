package dev.sheaf.server.bundle.version;

import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.check.ContentChecks;
import dev.sheaf.server.bundle.publish.Publication;
import dev.sheaf.server.bundle.publish.VersionNoteRows;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.registry.referrer.Referrers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Facts about a version besides its content: its publisher's message, the warnings, and its referrers.
/// Thread-safe.
public final class VersionNotes {
    private static final int ATTESTATIONS = 100;

    private final Database database;
    private final Referrers referrers;

    public VersionNotes(Database database, Referrers referrers) {
        this.database = database;
        this.referrers = referrers;
    }

    /// @param attestations at most 100, by digest
    public record Of(
            @Nullable String message, List<ContentChecks.Warning> warnings, List<Referrers.Attestation> attestations) {
        public Of {
            warnings = List.copyOf(warnings);
            attestations = List.copyOf(attestations);
        }
    }

    /// @param notes of a version that was just published; null to read the stored ones
    public Of of(Snapshot bundle, VersionRow version, Publication.@Nullable Notes notes) {
        var attestations =
                referrers.attestations(new Referrers.Query(bundle.repository(), version.digest(), ""), ATTESTATIONS);
        return notes != null
                ? new Of(notes.message(), notes.warnings(), attestations)
                : database.read(tx -> new Of(
                        VersionNoteRows.message(tx, version.id()).orElse(null),
                        VersionNoteRows.warnings(tx, version.id()),
                        attestations));
    }
}
