package dev.sheaf.server.registry.referrer;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.server.registry.Repository;
import java.util.List;
import java.util.Optional;

/// Finds signatures of manifests.
public final class Signatures {
    private static final int LOOKED_AT = 16; // damaged ones are skipped
    private static final int CHILDREN = 1_000;
    private static final int AT_ONCE = 100;

    private Signatures() {}

    /// Returns the oldest signature of a manifest. Callers that cache it drop it when a change of the
    /// repository is announced.
    public static Optional<Signature> first(Tx tx, Repository repository, Digest subject) {
        return SignatureRows.first(tx, new Referrers.Query(repository, subject, ""), LOOKED_AT, CHILDREN).stream()
                .filter(found -> SignatureRows.isOk(tx, found.manifestId()))
                .map(SignatureRows.Row::signature)
                .findFirst();
    }

    /// Records signatures that older programs stored, or that came from their backups.
    public static void noteMissing(Database database) {
        List<Long> missing;
        do {
            missing = database.read(tx -> SignatureRows.missing(tx, AT_ONCE));
            for (long id : missing) {
                database.write(tx -> {
                    SignatureRows.note(tx, id);
                    return id;
                });
            }
        } while (missing.size() == AT_ONCE);
    }
}
