package dev.sheaf.server.registry.content;

import dev.sheaf.model.Digest;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Hashes what is read through it and refuses more than a limit.
public final class HashingStream extends FilterInputStream {
    private final @Nullable MessageDigest hash;
    private final SizeLimit room;
    private final boolean endsWhereBroken;
    private long count;
    private @Nullable IOException broken;

    /// @param hash updated with every byte; null where nobody can use it
    /// @param room for what may come
    public HashingStream(InputStream in, @Nullable MessageDigest hash, SizeLimit room) {
        this(in, hash, room, false);
    }

    private HashingStream(InputStream in, @Nullable MessageDigest hash, SizeLimit room, boolean endsWhereBroken) {
        super(in);
        this.endsWhereBroken = endsWhereBroken;
        this.hash = hash;
        this.room = room;
    }

    /// One that ends where `in` breaks off: what came until then is good, and [#broken] says that it did.
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
            if (hash != null) {
                hash.update(buffer, offset, read);
            }
        }
        return read;
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

    /// Why it ended, where it broke off.
    public Optional<IOException> broken() {
        return Optional.ofNullable(broken);
    }

    /// The digest of what came, or empty where nothing was hashed. Ends the hash.
    public Optional<Digest> digest(Digest.Algorithm algorithm) {
        return hash == null ? Optional.empty() : Optional.of(Digest.finish(algorithm, hash.digest()));
    }

    @Override
    public long skip(long bytes) throws IOException {
        throw new IOException("every byte must be read");
    }
}
