package dev.sheaf.client.cache;

import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.DigestLock;
import dev.sheaf.client.io.DiskFailures;
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

/// The cache of content on disk, by digest. All processes of the user share it.
///
/// ```
/// blobs/<algorithm>/<2 hex>/<hex>   verified content, never changed
/// partial/<hex>                     the received part of a blob, or whole blobs that are not committed
/// locks/<hex>                       locked by the process that downloads the blob, see also lock(String)
/// ```
/// A blob is received in `partial` under its lock, verified there, and moved to `blobs` in one rename when the
/// caller commits it. Nothing is synced: every read hashes again, so that an entry damaged by a crash or a disk is
/// noticed, removed and fetched again. Thread-safe.
public final class BlobCache {
    /// Appends the missing bytes of a blob to its partial file; returns when the file has the blob's length.
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

    /// Returns the path of the blob, which need not exist.
    public Path path(Digest digest) {
        String hex = digest.hex();
        return root.resolve(Path.of("blobs", digest.algorithm().toString(), hex.substring(0, 2), hex));
    }

    /// Returns whether the blob exists with the right length; [#copy] also checks its bytes.
    public boolean has(Blob blob) {
        return sizeOf(blob.digest()) == blob.size();
    }

    /// Returns the length in bytes; -1 if the blob does not exist.
    public long sizeOf(Digest digest) {
        try {
            return Files.size(path(digest));
        } catch (IOException e) {
            return -1;
        }
    }

    /// Downloads the blob to `partial` and verifies it, unless it exists. One process downloads while the others
    /// wait.
    ///
    /// @throws SheafException.Integrity if the bytes have a different digest or length; they are deleted
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
                    file.reset(); // bytes of an earlier run may be wrong
                    fill(file, blob, download);
                }
            } catch (ClosedByInterruptException e) {
                throw e; // keeps the partial file for the next attempt
            } catch (SheafException.Integrity | IOException e) { // this also frees the space on a full disk
                Files.deleteIfExists(partial(blob));
                throw e;
            }
        }
    }

    /// Checks the free disk space before anything is fetched.
    ///
    /// @throws SheafException.Local if there is not enough space; the message states the needed and the free
    /// space
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
                    "not enough disk space: " + needed + " bytes have to be fetched, but the disk of the cache " + root
                            + " has only " + room + " left; set SHEAF_CACHE_DIR to use another folder",
                    null);
        }
    }

    /// Creates the folder of the cache. Only this user can read it, since it contains content of private
    /// bundles.
    private void makeRoot() {
        try {
            OwnerOnly.makeFolder(root);
        } catch (IOException e) {
            throw DiskFailures.failed(
                    "cannot create the cache " + root + "; set SHEAF_CACHE_DIR to use another folder", e);
        }
    }

    private static void fill(PartialFile file, Blob blob, Download download) throws IOException {
        if (!file.isComplete()) {
            download.into(file);
        }
        var actual = file.digest();
        if (!actual.equals(blob.digest())) {
            throw new SheafException.Integrity("blob " + blob.digest() + " was received with the digest " + actual);
        }
    }

    /// Waits for the lock named `what`, which only one process can hold at a time.
    public DigestLock lock(String what) throws IOException {
        makeRoot();
        Path locks = Files.createDirectories(root.resolve("locks"));
        return DigestLock.acquire(locks.resolve(
                Digest.sha256(what.getBytes(StandardCharsets.UTF_8)).hex()));
    }

    /// Adds a staged blob to the cache. Returns false if it is neither staged nor in the cache, because another
    /// process has discarded it.
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

    /// Deletes the staged part of a blob.
    public void discard(Blob blob) throws IOException {
        try (var lock = DigestLock.acquire(lockFile(blob))) {
            Files.deleteIfExists(partial(blob));
        }
    }

    /// Writes the blob to `out`. Returns false if it does not exist or is damaged; a damaged entry is deleted, and
    /// the bytes written to `out` must be discarded.
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

    /// Records the time of use for [Cache#prune], at most once an hour, so that reads rarely write.
    private static void touch(Path file) {
        try {
            var now = Instant.now();
            if (Files.getLastModifiedTime(file).toInstant().isBefore(now.minus(USE_NOTED_EVERY))) {
                Files.setLastModifiedTime(file, FileTime.from(now));
            }
        } catch (IOException e) {
            // removed meanwhile, or owned by another user; the content was right
        }
    }

    /// Removes a blob from the cache; does nothing if it does not exist.
    public void remove(Digest digest) throws IOException {
        Files.createDirectories(root.resolve("locks"));
        try (var lock = DigestLock.acquire(root.resolve("locks").resolve(digest.hex()))) {
            Files.deleteIfExists(path(digest));
        }
    }

    /// Removes files in `partial` that were last changed before `then`. Pulls that broke off and were not
    /// repeated leave such files.
    public void removeLeftovers(Instant then) throws IOException {
        Path folder = root.resolve("partial");
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Path lockFile = root.resolve("locks").resolve(file.getFileName());
                Files.createDirectories(lockFile.getParent());
                try (var lock = DigestLock.acquire(lockFile)) {
                    if (Files.exists(file)
                            && Files.getLastModifiedTime(file).toInstant().isBefore(then)) {
                        Files.deleteIfExists(file);
                    }
                }
            }
        }
    }

    private Path partial(Blob blob) {
        return root.resolve("partial").resolve(blob.digest().hex());
    }

    private Path lockFile(Blob blob) {
        return root.resolve("locks").resolve(blob.digest().hex());
    }
}
