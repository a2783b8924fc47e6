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

/// A git object: a commit or tree with its bytes, or a blob, whose bytes the registry stores. Immutable.
public final class GitObject {
    /// The kinds of objects.
    public enum Kind {
        COMMIT(Constants.OBJ_COMMIT),
        TREE(Constants.OBJ_TREE),
        BLOB(Constants.OBJ_BLOB);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        /// Returns the number used in packs.
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

        /// Returns the word used in rows and in the header that is hashed.
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

    /// Returns a commit or a tree with these bytes.
    static GitObject of(Kind kind, byte[] bytes) {
        var hash = hash(kind, bytes.length);
        hash.update(bytes);
        return new GitObject(ObjectId.fromRaw(hash.digest()), kind, bytes.length, null, packed(bytes));
    }

    /// Returns a blob of the registry.
    static GitObject blob(ObjectId id, long size, Digest digest) {
        return new GitObject(id, Kind.BLOB, size, digest, null);
    }

    /// Returns a SHA-1 digest that has consumed the object's header. The security of content does not depend on
    /// SHA-1, because the bytes are read by the registry's own digest.
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

    /// Returns the size in bytes, uncompressed.
    public long size() {
        return size;
    }

    /// Returns the digest under which the registry stores a blob; null for commits and trees.
    public @Nullable Digest digest() {
        return digest;
    }

    /// Returns the bytes of a commit or tree as a zlib stream, not to be modified; null for blobs or if they were
    /// not read.
    public byte @Nullable [] packed() {
        return packed;
    }

    /// Returns the uncompressed bytes of a commit or tree that was read with them.
    public byte[] bytes() {
        try (var zlib = new InflaterInputStream(new ByteArrayInputStream(Objects.requireNonNull(packed)))) {
            return zlib.readNBytes(Math.toIntExact(size));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
