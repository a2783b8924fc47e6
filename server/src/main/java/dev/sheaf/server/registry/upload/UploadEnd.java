package dev.sheaf.server.registry.upload;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.blob.BlobStore;
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

/// Makes a blob of what an upload holds and its last chunk.
final class UploadEnd {
    private static final Logger LOG = LoggerFactory.getLogger(UploadEnd.class);

    private final BlobStore store;
    private final HashStates hashes;

    UploadEnd(BlobStore store, HashStates hashes) {
        this.store = store;
        this.hashes = hashes;
    }

    /// @throws dev.sheaf.model.ProblemException digest-mismatch; payload-too-large or quota-exceeded, as the room says
    StagedBlob gather(UploadRecord upload, Chunk last, Digest digest, SizeLimit room) throws IOException {
        if (upload.written() > 0) {
            store.reopen(upload.draft(), digest);
            return complete(upload, last, digest, room);
        }
        if (last.announced() > StagedBlob.INLINE_MAX) {
            return complete(upload, last, digest, room);
        }
        byte[] head = last.head(StagedBlob.INLINE_MAX + 1);
        if (head.length > StagedBlob.INLINE_MAX) {
            return complete(upload, last.behind(head), digest, room);
        }
        last.complete(head.length);
        Blobs.expect(digest, Digest.of(digest.algorithm(), head));
        return new StagedBlob.Inline(digest, head);
    }

    private StagedBlob complete(UploadRecord upload, Chunk last, Digest digest, SizeLimit room) throws IOException {
        var hash = hashes.of(upload, digest.algorithm()).orElse(null);
        var content = new HashingStream(last.content(), hash, room);
        long count = store.append(upload.draft(), upload.written(), content);
        last.complete(count);
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

    /// The digest of an object that was completed a moment ago.
    private Digest readAgain(StagedBlob.Stored stored) {
        var algorithm = stored.digest().algorithm();
        var hash = algorithm.newHash();
        try {
            store.open(stored.object(), stored.size())
                    .orElseThrow(UploadEnd::failed)
                    .writeTo(new DigestOutputStream(OutputStream.nullOutputStream(), hash), 0, stored.size());
        } catch (IOException e) {
            LOG.error("cannot read {}", stored.object(), e);
            throw failed();
        }
        return Digest.finish(algorithm, hash.digest());
    }

    private static RuntimeException failed() {
        return new Problem.Unavailable("the blob store failed", 5).raise();
    }
}
