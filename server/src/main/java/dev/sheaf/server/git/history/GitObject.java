package dev.sheaf.server.git.history;

import dev.sheaf.model.Digest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/// An object of git: a commit or a tree with its bytes, or a blob, whose bytes are the registry's. Immutable.
public final class GitObject {
    /// What it is.
    public enum Kind {
        COMMIT(Constants.OBJ_COMMIT),
        TREE(Constants.OBJ_TREE),
        BLOB(Constants.OBJ_BLOB);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        /// As packs write it.
        public int number() {
            return number;
        }

        static Kind of(String word) {
            return switch (word) {
                case "commit" -> COMMIT;
                case "tree" -> TREE;
                default -> BLOB;
            };
        }

        /// The word in rows and before an object's bytes, where these are hashed.
        @Override
        public String toString() {
            return Constants.typeString(number);
        }
    }

    private final ObjectId id;
    private final Kind kind;
    private final long size;
    private final @Nullable Digest digest;
    private final byte @Nullable [] packed;

    GitObject(ObjectId id, Kind kind, long size, @Nullable Digest digest, byte @Nullable [] packed) {
        this.id = id;
        this.kind = kind;
        this.size = size;
        this.digest = digest;
        this.packed = packed;
    }

    /// A commit or a tree with these bytes.
    static GitObject of(Kind kind, byte[] bytes) {
        var hash = hash(kind, bytes.length);
        hash.update(bytes);
        return new GitObject(ObjectId.fromRaw(hash.digest()), kind, bytes.length, null, packed(bytes));
    }

    /// A blob of the registry.
    static GitObject blob(ObjectId id, long size, Digest digest) {
        return new GitObject(id, Kind.BLOB, size, digest, null);
    }

    /// SHA-1 of an object, its bytes yet to come. Its name is not what keeps content safe: that is the
    /// digest of the registry, under which the bytes are read.
    static MessageDigest hash(Kind kind, long size) {
        try {
            var hash = MessageDigest.getInstance("SHA-1");
            hash.update((kind + " " + size + "\0").getBytes(StandardCharsets.US_ASCII));
            return hash;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }

    private static byte[] packed(byte[] bytes) {
        var out = new ByteArrayOutputStream(bytes.length / 2 + 32);
        var deflater = new Deflater(Deflater.BEST_SPEED);
        try (var zlib = new DeflaterOutputStream(out, deflater)) {
            zlib.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            deflater.end();
        }
        return out.toByteArray();
    }

    public ObjectId id() {
        return id;
    }

    public Kind kind() {
        return kind;
    }

    /// In bytes, not packed.
    public long size() {
        return size;
    }

    /// Of a blob, whose bytes the registry holds under it.
    public @Nullable Digest digest() {
        return digest;
    }

    /// Of a commit or a tree: its bytes as a zlib stream, not to be changed; null where they were not read.
    public byte @Nullable [] packed() {
        return packed;
    }

    /// Of a commit or a tree that was read with its bytes: these, unpacked.
    public byte[] bytes() {
        try (var zlib = new InflaterInputStream(new ByteArrayInputStream(Objects.requireNonNull(packed)))) {
            return zlib.readNBytes(Math.toIntExact(size));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
