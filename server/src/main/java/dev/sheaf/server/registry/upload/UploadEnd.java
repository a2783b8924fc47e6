package dev.sheaf.server.registry.upload;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.registry.CleanUp;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.HashingStream;
import dev.sheaf.server.registry.content.SizeLimit;
import dev.sheaf.server.registry.content.StagedBlob;
import dev.sheaf.server.registry.content.UploadRecord;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes an upload and its last chunk into a blob, and commits it.
final class UploadEnd {
    private static final Logger LOG = LoggerFactory.getLogger(UploadEnd.class);

    private final Database database;
    private final BlobStore store;
    private final Blobs blobs;
    private final QuotaCheck quotas;
    private final HashStates hashes;
    private final OpenUploads open;

    UploadEnd(Database database, BlobStore store, Blobs blobs, QuotaCheck quotas, HashStates hashes, OpenUploads open) {
        this.database = database;
        this.store = store;
        this.blobs = blobs;
        this.quotas = quotas;
        this.hashes = hashes;
        this.open = open;
    }

    /// @throws ProblemException digest-mismatch, which also ends the upload; payload-too-large or
    /// quota-exceeded from `room`
    StagedBlob gather(UploadRecord upload, UploadChunk last, Digest digest, SizeLimit room) throws IOException {
        try {
            return whole(upload, last, digest, room);
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.DigestMismatch) {
                open.drop(upload, "its digest differs from the announced one");
            }
            throw e;
        }
    }

    private StagedBlob whole(UploadRecord upload, UploadChunk last, Digest digest, SizeLimit room) throws IOException {
        if (upload.written() > 0) {
            store.reopen(upload.draft(), digest);
            return complete(upload, last, digest, room);
        }
        if (last.announced() > StagedBlob.INLINE_MAX) {
            return complete(upload, last, digest, room);
        }
        byte[] head = last.head(StagedBlob.INLINE_MAX + 1);
        if (head.length > StagedBlob.INLINE_MAX) {
            return complete(upload, last.withHead(head), digest, room);
        }
        last.checkLength(head.length);
        Blobs.expect(digest, Digest.of(digest.algorithm(), head));
        return new StagedBlob.Inline(digest, head);
    }

    private StagedBlob complete(UploadRecord upload, UploadChunk last, Digest digest, SizeLimit room)
            throws IOException {
        var hash = hashes.of(upload, digest.algorithm()).orElse(null);
        var content = new HashingStream(last.content(), hash, room);
        long count = store.append(upload.draft(), upload.written(), content);
        last.checkLength(count);
        content.digest(digest.algorithm()).ifPresent(actual -> Blobs.expect(digest, actual));
        long size = upload.written() + count;
        if (size <= StagedBlob.INLINE_MAX) {
            byte[] bytes = store.read(upload.draft(), (int) size);
            Blobs.expect(digest, Digest.of(digest.algorithm(), bytes));
            return new StagedBlob.Inline(digest, bytes);
        }
        var stored = new StagedBlob.Stored(digest, size, store.complete(upload.draft(), digest, size));
        if (hash == null) {
            var actual = readAgain(stored);
            if (!actual.equals(digest) && !store.isShared(upload.draft())) {
                store.delete(stored.object());
            }
            Blobs.expect(digest, actual);
        }
        return stored;
    }

    /// Computes the digest of an object that was just completed.
    private Digest readAgain(StagedBlob.Stored stored) {
        var algorithm = stored.digest().algorithm();
        var hash = algorithm.newHash();
        try {
            store.open(stored.object(), stored.size())
                    .orElseThrow(UploadEnd::failed)
                    .writeTo(new DigestOutputStream(OutputStream.nullOutputStream(), hash), 0, stored.size());
        } catch (IOException e) {
            LOG.error("cannot read {}: {}", stored.object(), e.toString());
            LOG.debug("where it failed", e);
            throw failed();
        }
        return Digest.finish(algorithm, hash.digest());
    }

    private static RuntimeException failed() {
        return new Problem.Unavailable("the blob store failed; try again", 5).raise();
    }

    /// Links the blob to the repository and ends the upload, both or neither.
    void commit(Repository repository, UploadRecord upload, StagedBlob staged) {
        try {
            database.write(tx -> {
                if (!UploadRows.remove(tx, upload)) {
                    throw OpenUploads.unknown(upload.id());
                }
                quotas.enforce(tx);
                return blobs.link(tx, repository, staged);
            });
        } catch (RuntimeException e) {
            takeBack(upload, staged, e);
            throw e;
        }
        if (staged instanceof StagedBlob.Inline) {
            store.abort(upload.draft());
        }
    }

    /// Reopens the upload after the transaction that should have ended it failed.
    private void takeBack(UploadRecord upload, StagedBlob staged, RuntimeException why) {
        CleanUp.after(why, () -> {
            if (open.reload(upload).isPresent()) {
                store.reopen(upload.draft(), staged.digest());
            } else if (!store.isShared(upload.draft())) {
                blobs.discard(staged);
            }
        });
    }
}
