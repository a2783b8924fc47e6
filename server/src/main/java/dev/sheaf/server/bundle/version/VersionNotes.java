package dev.sheaf.server.bundle.version;

import dev.sheaf.engine.db.Database;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.check.ContentChecks;
import dev.sheaf.server.bundle.publish.Publish;
import dev.sheaf.server.bundle.publish.VersionNoteRows;
import dev.sheaf.server.registry.referrer.Referrers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Information about a version besides its content: its publisher's message, the warnings, and its referrers.
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

    /// Returns the information about a version that was just published.
    public Of of(Publish.Published published) {
        var version = published.version().version();
        var notes = published.notes();
        return notes == null
                ? of(published.bundle(), version)
                : new Of(
                        notes.message(),
                        notes.warnings(),
                        published.mayBeReferred() ? attestations(published.bundle(), version) : List.of());
    }

    private List<Referrers.Attestation> attestations(BundleSnapshot bundle, VersionRow version) {
        return referrers.attestations(new Referrers.Query(bundle.repository(), version.digest(), ""), ATTESTATIONS);
    }

    public Of of(BundleSnapshot bundle, VersionRow version) {
        var attestations = attestations(bundle, version);
        return database.read(tx -> new Of(
                VersionNoteRows.message(tx, version.id()).orElse(null),
                VersionNoteRows.warnings(tx, version.id()),
                attestations));
    }
}
