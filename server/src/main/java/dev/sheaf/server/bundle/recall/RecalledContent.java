package dev.sheaf.server.bundle.recall;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.Recall;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.ManifestRecord;
import dev.sheaf.server.registry.content.RecalledRows;
import java.util.Optional;

/// Keeps recalled content from those who read the registry by digest. Admins of the organization may read it.
/// Thread-safe.
public final class RecalledContent {
    private final Database database;
    private final Blobs blobs;

    public RecalledContent(Database database, Blobs blobs) {
        this.database = database;
        this.blobs = blobs;
    }

    /// Refuses a manifest that is recalled to others than admins. Returns whether it is recalled.
    ///
    /// @param asked the tag or digest that was requested
    /// @throws ProblemException version-recalled
    public boolean check(Caller caller, Repository repository, ManifestRecord manifest, String asked) {
        var by = manifest.recalledById();
        if (by == null) {
            return false;
        }
        refuse(caller, repository, by, asked);
        return true;
    }

    /// Refuses a blob that only recalled manifests refer to, to others than admins. Returns whether it is such a blob.
    ///
    /// @throws ProblemException version-recalled
    public boolean check(Caller caller, Repository repository, BlobRecord blob) {
        if (blobs.isReadable(repository, blob)) {
            return false;
        }
        long by = database.read(tx -> RecalledRows.recalling(tx, repository, blob.id()));
        refuse(caller, repository, by, blob.digest().toString());
        return true;
    }

    private void refuse(Caller caller, Repository repository, long manifestId, String asked) {
        if (!Access.mayReadRecalled(caller, repository)) {
            throw database.read(tx -> recall(tx, repository, manifestId))
                    .map(recall -> recall.problem(repository.name(), asked))
                    .orElseGet(() -> new Problem.ManifestUnknown(repository.name(), asked))
                    .raise();
        }
    }

    private static Optional<Recall> recall(Tx tx, Repository repository, long manifestId) {
        return BundleRows.find(tx, repository.id())
                .flatMap(bundle -> VersionRows.findByManifest(tx, bundle.id(), manifestId))
                .map(VersionRow::recall);
    }
}
