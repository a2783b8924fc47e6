package dev.sheaf.server.bundle.review;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Version;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.Recall;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.BlobAccess;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.ManifestRecord;
import dev.sheaf.server.registry.content.ManifestRows;
import dev.sheaf.server.registry.content.RecalledRows;
import java.util.Optional;

/// Keeps content from those who read the registry by digest: recalled content from all but admins of the
/// organization, and content that waits for approval from all but its writers and reviewers. Thread-safe.
public final class ClosedContent {
    private final Database database;
    private final Blobs blobs;

    public ClosedContent(Database database, Blobs blobs) {
        this.database = database;
        this.blobs = blobs;
    }

    /// Refuses a manifest that the caller may not read. Returns whether others may not read it, so that no cache
    /// may keep it.
    ///
    /// @param asked the tag or digest that was requested
    /// @throws ProblemException version-recalled; manifest-unknown if it is held
    public boolean check(Caller caller, Repository repository, ManifestRecord manifest, String asked) {
        var by = manifest.recalledById();
        if (by != null) {
            refuseRecalled(caller, repository, by, asked);
        }
        if (manifest.held() && !mayReadHeld(caller, repository)) {
            throw new Problem.ManifestUnknown(repository.name(), asked).raise();
        }
        return by != null || manifest.held();
    }

    /// Refuses a blob that the caller may not read. Returns whether others may not read it.
    ///
    /// @throws ProblemException version-recalled; blob-unknown if it is held
    public boolean check(Caller caller, Repository repository, BlobRecord blob) {
        var access = blobs.access(repository, blob);
        switch (access) {
            case OPEN -> {
                // everybody may read it
            }
            case HELD -> {
                if (!mayReadHeld(caller, repository)) {
                    throw new Problem.BlobUnknown(blob.digest()).raise();
                }
            }
            case RECALLED -> {
                long by = database.read(tx -> RecalledRows.recalling(tx, repository, blob.id()));
                refuseRecalled(caller, repository, by, blob.digest().toString());
            }
        }
        return access != BlobAccess.OPEN;
    }

    /// Returns whether the caller may read a blob.
    public boolean mayRead(Caller caller, Repository repository, BlobRecord blob) {
        return switch (blobs.access(repository, blob)) {
            case OPEN -> true;
            case HELD -> mayReadHeld(caller, repository);
            case RECALLED -> Access.mayReadRecalled(caller, repository);
        };
    }

    /// Returns whether the caller may not know that the repository holds some content, because it waits for approval.
    public boolean isHidden(Caller caller, Repository repository, Digest digest) {
        if (!repository.hasHeld() && !repository.isReviewed()) {
            return false;
        }
        boolean isHeld = database.read(tx -> ManifestRows.any(tx, repository.id(), digest))
                        .filter(ManifestRecord::held)
                        .isPresent()
                || blobs.find(repository, digest)
                        .filter(blob -> blobs.access(repository, blob) == BlobAccess.HELD)
                        .isPresent();
        return isHeld && !mayReadHeld(caller, repository);
    }

    /// Returns the manifest that waits for approval under a number, for those who may read it.
    public Optional<ManifestRecord> held(Caller caller, Repository repository, String tag) {
        return repository.hasHeld() && mayReadHeld(caller, repository)
                ? Version.ofOciTag(tag)
                        .flatMap(version -> database.read(tx -> ReviewRows.open(tx, repository.id(), version)
                                .flatMap(review -> ManifestRows.any(tx, repository.id(), review.digest()))))
                : Optional.empty();
    }

    private boolean mayReadHeld(Caller caller, Repository repository) {
        return Reviewers.mayRead(database, caller, repository);
    }

    private void refuseRecalled(Caller caller, Repository repository, long manifestId, String asked) {
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
