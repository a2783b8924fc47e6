package dev.sheaf.client.cache;

import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.DigestLock;
import dev.sheaf.client.io.Disk;
import dev.sheaf.client.io.OwnerOnly;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Content on disk by digest, shared by every process of the user.
///
/// ```
/// blobs/<algorithm>/<2 hex>/<hex>   verified content, never changed
/// partial/<hex>                     what has arrived of a blob so far, and whole blobs not yet committed
/// locks/<hex>                       held by the one process that downloads it, or does what the hash stands for
/// ```
/// A blob arrives under its lock in `partial`, is verified there, and moves to `blobs` in one rename once the
/// caller commits it. Nothing is synced: every read hashes again, so that an entry that a crash or a disk damaged
/// is noticed, thrown away and fetched again. Thread-safe.
public final class BlobCache {
    /// Appends a blob's missing bytes to its partial file; returns when the file has the blob's length.
    public interface Download {
        void into(PartialFile file) throws IOException;
    }

    private static final Duration USE_NOTED_EVERY = Duration.ofHours(1);

    private final Path root;

    public BlobCache(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    public Path root() {
        return root;
    }

    /// Where the blob is or would be.
    public Path path(Digest digest) {
        String hex = digest.hex();
        return root.resolve("blobs", digest.algorithm().toString(), hex.substring(0, 2), hex);
    }

    /// Whether the blob is here, by its length; [#copy] finds out whether its bytes are right.
    public boolean has(Blob blob) {
        return sizeOf(blob.digest()) == blob.size();
    }

    /// Length in bytes, or -1 where the blob is not here.
    public long sizeOf(Digest digest) {
        try {
            return Files.size(path(digest));
        } catch (IOException e) {
            return -1;
        }
    }

    /// Brings the blob into `partial`, whole and verified, unless it is here. Of several processes one downloads
    /// and the others wait.
    ///
    /// @throws SheafException.Integrity where the bytes have another digest or length; none of them stays
    public void stage(Blob blob, Download download) throws IOException {
        makeRoot();
        Files.createDirectories(root.resolve("locks"));
        Files.createDirectories(root.resolve("partial"));
        try (var lock = DigestLock.acquire(lockFile(blob))) {
            if (has(blob)) {
                lock.forget();
                return;
            }
            try (var file = PartialFile.open(partial(blob), blob)) {
                boolean resumed = file.length() > 0;
                try {
                    fill(file, blob, download);
                } catch (SheafException.Integrity e) {
                    if (!resumed) {
                        throw e;
                    }
                    file.reset(); // the bytes of an earlier run may be what is wrong
                    fill(file, blob, download);
                }
            } catch (ClosedByInterruptException e) {
                throw e; // to go on with
            } catch (SheafException.Integrity | IOException e) { // a full disk is to be left as it was
                Files.deleteIfExists(partial(blob));
                throw e;
            }
        }
    }

    /// Refuses what the disk has no room for, before any of it is fetched.
    ///
    /// @throws SheafException.Local saying how much is missing
    public void checkRoom(List<Blob> blobs) throws IOException {
        makeRoot();
        long room = Files.getFileStore(root).getUsableSpace();
        long needed = 0;
        for (Blob blob : blobs) {
            long here = Files.exists(partial(blob)) ? Files.size(partial(blob)) : 0;
            needed = Math.max(0, blob.size() - here) > Long.MAX_VALUE - needed
                    ? Long.MAX_VALUE
                    : needed + Math.max(0, blob.size() - here);
        }
        if (needed > room) {
            throw new SheafException.Local(
                    "there is no room for it: " + needed + " bytes are to be fetched, and the disk of the cache " + root
                            + " has " + room + " left; SHEAF_CACHE_DIR can name another place",
                    null);
        }
    }

    /// For this user alone: content of private bundles lies there.
    private void makeRoot() {
        try {
            OwnerOnly.makeFolder(root);
        } catch (IOException e) {
            throw Disk.failed(
                    "cannot make the cache " + root + ", for which SHEAF_CACHE_DIR can name another place", e);
        }
    }

    private static void fill(PartialFile file, Blob blob, Download download) throws IOException {
        if (!file.isComplete()) {
            download.into(file);
        }
        var actual = file.digest();
        if (!actual.equals(blob.digest())) {
            throw new SheafException.Integrity("blob " + blob.digest() + " arrived with digest " + actual);
        }
    }

    /// Waits until nobody else, of any process, does `what`.
    public DigestLock lock(String what) throws IOException {
        makeRoot();
        Path locks = Files.createDirectories(root.resolve("locks"));
        return DigestLock.acquire(locks.resolve(
                Digest.sha256(what.getBytes(StandardCharsets.UTF_8)).hex()));
    }

    /// Makes a staged blob part of the cache. False where it is neither staged nor here, because another process
    /// has thrown it away.
    public boolean commit(Blob blob) throws IOException {
        Path to = path(blob.digest());
        Files.createDirectories(to.getParent());
        try (var lock = DigestLock.acquire(lockFile(blob))) {
            try {
                Files.move(partial(blob), to, StandardCopyOption.ATOMIC_MOVE);
            } catch (NoSuchFileException e) {
                if (!has(blob)) {
                    return false;
                }
            }
            lock.forget();
            return true;
        }
    }

    /// Throws away what is staged of a blob.
    public void discard(Blob blob) throws IOException {
        try (var _ = DigestLock.acquire(lockFile(blob))) {
            Files.deleteIfExists(partial(blob));
        }
    }

    /// Writes the blob to `out`. False where it is not here or is damaged; a damaged entry is removed, and what was
    /// written to `out` is worthless.
    public boolean copy(Blob blob, OutputStream out) throws IOException {
        MessageDigest hash = blob.digest().algorithm().newHash();
        Path file = path(blob.digest());
        long left = blob.size();
        try (InputStream in = Files.newInputStream(file)) {
            byte[] buffer = new byte[Math.clamp(left, 1, 64 << 10)];
            for (int count = in.read(buffer); count >= 0 && left >= 0; count = in.read(buffer)) {
                hash.update(buffer, 0, count);
                out.write(buffer, 0, count);
                left -= count;
            }
        } catch (NoSuchFileException e) {
            return false;
        }
        if (left == 0 && Digest.finish(blob.digest().algorithm(), hash.digest()).equals(blob.digest())) {
            touch(file);
            return true;
        }
        Files.deleteIfExists(file);
        return false;
    }

    /// Notes the use, by which [Cache#prune] chooses; to the hour, so that reading rarely writes.
    private static void touch(Path file) {
        try {
            var now = Instant.now();
            if (Files.getLastModifiedTime(file).toInstant().isBefore(now.minus(USE_NOTED_EVERY))) {
                Files.setLastModifiedTime(file, FileTime.from(now));
            }
        } catch (IOException e) {
            // removed in the meantime, or another user's; the content was right all the same
        }
    }

    /// Removes a blob, wherever it was; nothing where it is not here.
    public void remove(Digest digest) throws IOException {
        Files.createDirectories(root.resolve("locks"));
        try (var _ = DigestLock.acquire(root.resolve("locks", digest.hex()))) {
            Files.deleteIfExists(path(digest));
        }
    }

    /// Removes what is in `partial` since before `then`: pulls that broke off and were not tried again.
    public void removeLeftovers(Instant then) throws IOException {
        Path folder = root.resolve("partial");
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Path lockFile = root.resolve("locks").resolve(file.getFileName());
                Files.createDirectories(lockFile.getParent());
                try (var _ = DigestLock.acquire(lockFile)) {
                    if (Files.exists(file)
                            && Files.getLastModifiedTime(file).toInstant().isBefore(then)) {
                        Files.deleteIfExists(file);
                    }
                }
            }
        }
    }

    private Path partial(Blob blob) {
        return root.resolve("partial", blob.digest().hex());
    }

    private Path lockFile(Blob blob) {
        return root.resolve("locks", blob.digest().hex());
    }
}
