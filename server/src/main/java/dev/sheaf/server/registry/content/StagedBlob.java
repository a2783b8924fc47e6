package dev.sheaf.server.registry.content;

import dev.sheaf.engine.blob.ObjectId;
import dev.sheaf.model.Digest;

/// Bytes that are stored and hashed, but that no row refers to yet.
public sealed interface StagedBlob {
    /// Content up to this many bytes is stored in the database.
    int INLINE_MAX = 32 << 10;

    Digest digest();

    long size();

    /// Small content, which is written with its row.
    public final class Inline implements StagedBlob {
        private final Digest digest;
        private final byte[] bytes;

        public Inline(Digest digest, byte[] bytes) {
            this.digest = digest;
            this.bytes = bytes;
        }

        @Override
        public Digest digest() {
            return digest;
        }

        @Override
        public long size() {
            return bytes.length;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /// An object in the blob store.
    record Stored(Digest digest, long size, ObjectId object) implements StagedBlob {}
}
