package dev.sheaf.server.registry.upload;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.registry.content.DeletionRows;
import dev.sheaf.server.registry.content.UploadRecord;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/// Open uploads: their rows, and how they end without a blob.
final class OpenUploads {
    private static final int EXPIRED_AT_ONCE = 100;

    private final Database database;
    private final HashStates hashes;

    OpenUploads(Database database, HashStates hashes) {
        this.database = database;
        this.hashes = hashes;
    }

    /// @throws ProblemException upload-unknown if the upload does not exist, has expired, or belongs to another
    /// caller or repository
    UploadRecord load(Uploads.Target target) {
        return database.read(tx -> UploadRows.find(tx, target.id())
                        .filter(upload -> Objects.equals(upload.repositoryId(), target.repositoryId())
                                && upload.principal().equals(target.caller().actor())
                                && (upload.repositoryId() != null || isOf(target.caller(), upload))
                                && tx.now().isBefore(upload.expiresAt())))
                .orElseThrow(() -> unknown(target.id()));
    }

    /// Returns whether the caller acts for the organization that began the upload: a person may have several.
    private static boolean isOf(Caller caller, UploadRecord upload) {
        return caller instanceof Caller.Known known && known.organizationId().equals(upload.organizationId());
    }

    static ProblemException unknown(UUID id) {
        return new Problem.UploadUnknown(id.toString()).raise();
    }

    Optional<UploadRecord> reload(UploadRecord upload) {
        return database.read(tx -> UploadRows.find(tx, upload.id()));
    }

    /// Ends an upload without a blob, unless another request has changed it.
    void drop(UploadRecord upload, String reason) {
        database.write(tx -> {
            boolean removed = UploadRows.remove(tx, upload);
            if (removed) {
                DeletionRows.draft(tx, upload, reason);
            }
            return removed;
        });
        hashes.forget(upload.id());
    }

    /// Returns the error for a request whose upload was changed by another request.
    ProblemException elsewhere(UploadRecord upload) {
        return reload(upload)
                .map(now -> new Problem.UploadRangeInvalid(upload.id().toString(), now.written()).raise())
                .orElseGet(() -> unknown(upload.id()));
    }

    long count() {
        return database.read(UploadRows::open);
    }

    /// Drops one batch of expired uploads and returns how many.
    int expire() {
        return database.write(tx -> {
            var expired = UploadRows.expired(tx, EXPIRED_AT_ONCE);
            for (var upload : expired) {
                UploadRows.remove(tx, upload);
                DeletionRows.draft(tx, upload, "expired");
            }
            return expired.size();
        });
    }
}
