package dev.sheaf.client.cache;

import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;

/// A download in progress: the first bytes of a blob on disk, and their hash. Continues the file of an earlier
/// process. Used by one thread, under the digest's lock.
public final class PartialFile implements AutoCloseable {
    private static final int BUFFER = 64 << 10;

    private final Blob blob;
    private final FileChannel channel;
    private final MessageDigest hash;
    private long length;

    private PartialFile(Blob blob, FileChannel channel) {
        this.blob = blob;
        this.channel = channel;
        this.hash = blob.digest().algorithm().newHash();
    }

    static PartialFile open(Path file, Blob blob) throws IOException {
        var partial = new PartialFile(
                blob,
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS));
        try {
            partial.resume();
            return partial;
        } catch (IOException e) {
            try {
                partial.close();
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    private void resume() throws IOException {
        if (channel.size() > blob.size()) {
            reset();
            return;
        }
        var buffer = ByteBuffer.allocate(BUFFER);
        while (channel.read(buffer.clear()) >= 0) {
            hash.update(buffer.flip());
            length += buffer.limit();
        }
    }

    public long length() {
        return length;
    }

    public boolean isComplete() {
        return length == blob.size();
    }

    /// Appends the next bytes.
    ///
    /// @throws SheafException.Integrity if the blob becomes too long
    public void append(byte[] bytes, int count) throws IOException {
        if (count > blob.size() - length) {
            throw new SheafException.Integrity(
                    "blob " + blob.digest() + " is longer than the " + blob.size() + " bytes that its manifest states");
        }
        hash.update(bytes, 0, count);
        var buffer = ByteBuffer.wrap(bytes, 0, count);
        while (buffer.hasRemaining()) {
            length += channel.write(buffer, length);
        }
    }

    /// Discards everything received.
    public void reset() throws IOException {
        channel.truncate(0);
        hash.reset();
        length = 0;
    }

    /// Returns the digest of the received bytes. Call it once, at the end.
    Digest digest() {
        return Digest.finish(blob.digest().algorithm(), hash.digest());
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
