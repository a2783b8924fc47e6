package dev.sheaf.server.registry.referrer;

import dev.sheaf.model.Digest;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.registry.Repository;
import java.util.List;
import java.util.Optional;

/// Which manifests are signed.
public final class Signatures {
    private static final int LOOKED_AT = 16; // damaged ones are passed over
    private static final int CHILDREN = 1_000;
    private static final int AT_ONCE = 100;

    private Signatures() {}

    /// The first signature of a manifest that came. Who keeps the answer drops it when a change of the repository
    /// is announced.
    public static Optional<Signature> first(Tx tx, Repository repository, Digest subject) {
        return SignatureRows.first(tx, new Referrers.Query(repository, subject, ""), LOOKED_AT, CHILDREN).stream()
                .filter(found -> SignatureRows.isOk(tx, found.manifestId()))
                .map(SignatureRows.Row::signature)
                .findFirst();
    }

    /// Notes the signatures that were stored by who did not know to do so: programs of old, and restores of their
    /// backups.
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
