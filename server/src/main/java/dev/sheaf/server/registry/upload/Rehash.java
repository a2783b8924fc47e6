package dev.sheaf.server.registry.upload;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.server.blob.BlobStore;
import dev.sheaf.server.registry.content.StagedBlob;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads an object again that was completed a moment ago.
final class Rehash {
    private static final Logger LOG = LoggerFactory.getLogger(Rehash.class);

    private Rehash() {}

    /// The digest of the bytes, by the algorithm that they are said to be known under.
    static Digest of(BlobStore store, StagedBlob.Stored stored) {
        var algorithm = stored.digest().algorithm();
        var hash = algorithm.newHash();
        try {
            store.open(stored.object(), stored.size())
                    .orElseThrow(Rehash::failed)
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
