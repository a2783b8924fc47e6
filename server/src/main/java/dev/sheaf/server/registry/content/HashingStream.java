package dev.sheaf.server.registry.content;

import dev.sheaf.engine.cpu.BulkPool;
import dev.sheaf.model.Digest;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Hashes what is read through it and stops at a size limit.
public final class HashingStream extends FilterInputStream {
    private static final int LONG = 32 << 10; // bytes that are worth the way to another thread

    private final @Nullable MessageDigest hash;
    private final SizeLimit room;
    private final boolean endsWhereBroken;
    private long count;
    private @Nullable IOException broken;

    /// @param hash updated with every byte; null if no hash is needed
    /// @param room the size limit
    public HashingStream(InputStream in, @Nullable MessageDigest hash, SizeLimit room) {
        this(in, hash, room, false);
    }

    private HashingStream(InputStream in, @Nullable MessageDigest hash, SizeLimit room, boolean endsWhereBroken) {
        super(in);
        this.endsWhereBroken = endsWhereBroken;
        this.hash = hash;
        this.room = room;
    }

    /// Returns a stream that ends where `in` fails. The bytes before are valid, and [#broken] returns the
    /// failure.
    public static HashingStream keeping(InputStream in, @Nullable MessageDigest hash, SizeLimit room) {
        return new HashingStream(in, hash, room, true);
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int read = next(buffer, offset, length);
        if (read > 0) {
            count += read;
            room.admit(count);
            hash(buffer, offset, read);
        }
        return read;
    }

    private void hash(byte[] buffer, int offset, int length) {
        var its = hash;
        if (its == null) {
            return;
        }
        if (length < LONG) {
            its.update(buffer, offset, length);
        } else {
            BulkPool.run(() -> its.update(buffer, offset, length));
        }
    }

    private int next(byte[] buffer, int offset, int length) throws IOException {
        try {
            return super.read(buffer, offset, length);
        } catch (IOException e) {
            if (!endsWhereBroken) {
                throw e;
            }
            broken = e;
            return -1;
        }
    }

    /// Returns the failure that ended the stream, if any.
    public Optional<IOException> broken() {
        return Optional.ofNullable(broken);
    }

    /// Returns the digest of the bytes, and ends the hash. Empty if nothing was hashed.
    public Optional<Digest> digest(Digest.Algorithm algorithm) {
        return hash == null ? Optional.empty() : Optional.of(Digest.finish(algorithm, hash.digest()));
    }

    @Override
    public long skip(long bytes) throws IOException {
        throw new IOException("cannot skip: every byte must be read to be hashed");
    }
}
