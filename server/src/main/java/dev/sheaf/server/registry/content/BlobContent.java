package dev.sheaf.server.registry.content;

import dev.sheaf.engine.blob.StoredObject;
import dev.sheaf.model.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the bytes of a blob, whole or in part. It holds no resource and need not be closed.
public final class BlobContent {
    private static final Logger LOG = LoggerFactory.getLogger(BlobContent.class);

    private final StoredObject object;
    private final Consumer<IOException> onFailure;

    /// @param onFailure called if reading or the reader fails
    BlobContent(StoredObject object, Consumer<IOException> onFailure) {
        this.object = object;
        this.onFailure = onFailure;
    }

    static BlobContent inline(byte[] bytes) {
        return new BlobContent(new InMemory(bytes), failure -> {});
    }

    /// Returns the length in bytes.
    public long length() {
        return object.length();
    }

    /// Writes `count` bytes starting at `offset`.
    ///
    /// @throws IOException if `out` fails or the bytes can no longer be read
    public void writeTo(OutputStream out, long offset, long count) throws IOException {
        try {
            object.writeTo(out, offset, count);
        } catch (IOException e) {
            onFailure.accept(e);
            throw e;
        }
    }

    /// Returns all bytes. For inline content this is the cache's own array: do not change it.
    ///
    /// @throws dev.sheaf.model.ProblemException unavailable if they cannot be read now
    public byte[] bytes() {
        if (object instanceof InMemory memory) {
            return memory.bytes;
        }
        var out = new ByteArrayOutputStream(Math.toIntExact(object.length()));
        try {
            writeTo(out, 0, object.length());
        } catch (IOException e) {
            LOG.error("cannot read a blob although it exists: {}", e.toString());
            LOG.debug("where it failed", e);
            throw new Problem.Unavailable("the blob store failed; try again", 5).raise();
        }
        return out.toByteArray();
    }

    private static final class InMemory implements StoredObject {
        private final byte[] bytes;

        InMemory(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public long length() {
            return bytes.length;
        }

        @Override
        public void writeTo(OutputStream out, long offset, long count) throws IOException {
            out.write(bytes, Math.toIntExact(offset), Math.toIntExact(count));
        }
    }
}
