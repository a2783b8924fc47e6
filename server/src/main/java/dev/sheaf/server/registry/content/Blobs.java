package dev.sheaf.server.registry.content;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.blob.ObjectId;
import dev.sheaf.engine.blob.UnreadableException;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.registry.BundleHolds;
import dev.sheaf.server.registry.CleanUp;
import dev.sheaf.server.registry.ContentCache;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.RepositoryCache;
import dev.sheaf.server.registry.RetentionPolicy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Blobs and the repositories that hold them. Thread-safe.
///
/// Writing takes two steps: [#stage] stores and hashes the bytes before any transaction; [#link] refers to them
/// in a transaction. If that transaction fails, [#discard] deletes the bytes.
public final class Blobs {
    /// How long a URL of [#presign] is valid. Deleted bytes must be kept longer than that.
    public static final Duration URL_LIFETIME = Duration.ofMinutes(15);

    private static final int CLOSED = HeapShare.CLOSED_BLOBS.entries(1, 50 + HeapShare.ENTRY);

    private final Database database;
    private final BlobStore store;
    private final RetentionPolicy keeping;
    private final RepositoryCache<Digest, BlobRecord> held;
    private final RepositoryCache<Long, BlobAccess> access;
    private final ContentCache contents;
    private final DamagedContent damage;
    private final BlobLinks links;

    /// Limits of the caches.
    ///
    /// @param entries number of (repository, blob) pairs
    /// @param bytes total bytes of small blobs
    public record CacheSize(int entries, long bytes) {}

    public Blobs(Database database, BlobStore store, RetentionPolicy keeping, CacheSize cache) {
        this.database = database;
        this.store = store;
        this.keeping = keeping;
        this.held = new RepositoryCache<>(database, "blobs", cache.entries());
        this.access = new RepositoryCache<>(database, "blob-access", CLOSED);
        this.contents = new ContentCache(database, "blob-content", cache.bytes());
        this.damage = new DamagedContent(database);
        this.links = new BlobLinks(keeping);
    }

    // --- writing ---

    /// Stores bytes under their SHA-256 digest. The array is used, not copied.
    public StagedBlob stage(byte[] bytes) {
        return stage(Digest.sha256(bytes), bytes);
    }

    /// Checks that the disk has room for bytes that are about to be staged.
    ///
    /// @throws dev.sheaf.model.ProblemException storage-full
    public void admit(long bytes) {
        store.admit(bytes);
    }

    private StagedBlob stage(Digest digest, byte[] bytes) {
        store.admit(bytes.length);
        if (bytes.length <= StagedBlob.INLINE_MAX) {
            return new StagedBlob.Inline(digest, bytes);
        }
        try {
            return write(
                    new HashingStream(new ByteArrayInputStream(bytes), null, SizeLimit.upTo(bytes.length)), digest);
        } catch (IOException e) {
            throw new IllegalStateException("memory can always be read", e);
        }
    }

    /// Stores the bytes of a stream, which must have the digest.
    ///
    /// @throws IOException if the stream fails
    /// @throws dev.sheaf.model.ProblemException digest-mismatch, storage-full, or the error of `room` if the
    /// stream is longer; nothing is stored
    public StagedBlob stage(InputStream content, Digest expected, SizeLimit room) throws IOException {
        byte[] start = content.readNBytes(StagedBlob.INLINE_MAX + 1);
        room.admit(start.length);
        if (start.length <= StagedBlob.INLINE_MAX) {
            expect(expected, Digest.of(expected.algorithm(), start));
            return stage(expected, start);
        }
        store.admit(0);
        var whole = new SequenceInputStream(new ByteArrayInputStream(start), content);
        return write(new HashingStream(whole, expected.algorithm().newHash(), room), expected);
    }

    /// Stores the bytes of a stream under their SHA-256 digest.
    ///
    /// @param limit in bytes
    /// @throws IOException if the stream fails
    /// @throws dev.sheaf.model.ProblemException payload-too-large or storage-full; nothing is stored
    public StagedBlob stage(InputStream content, long limit) throws IOException {
        var room = SizeLimit.upTo(limit);
        byte[] start = content.readNBytes(StagedBlob.INLINE_MAX + 1);
        room.admit(start.length);
        if (start.length <= StagedBlob.INLINE_MAX) {
            return stage(start);
        }
        store.admit(0);
        var whole = new SequenceInputStream(new ByteArrayInputStream(start), content);
        var hash = Digest.Algorithm.SHA256.newHash();
        return write(
                new HashingStream(whole, hash, room),
                hashed -> hashed.digest(Digest.Algorithm.SHA256).orElseThrow());
    }

    private StagedBlob write(HashingStream content, Digest digest) throws IOException {
        return write(content, hashed -> {
            hashed.digest(digest.algorithm()).ifPresent(actual -> expect(digest, actual));
            return digest;
        });
    }

    /// @param named returns the digest after the content was read to its end
    private StagedBlob write(HashingStream content, Function<HashingStream, Digest> named) throws IOException {
        var draft = store.begin();
        try {
            long length = store.append(draft, 0, content);
            var digest = named.apply(content);
            var object = store.complete(draft, digest, length);
            return new StagedBlob.Stored(digest, length, object);
        } catch (IOException | RuntimeException e) {
            CleanUp.after(e, () -> store.abort(draft));
            throw e;
        }
    }

    public static void expect(Digest expected, Digest actual) {
        if (!expected.equals(actual)) {
            throw new Problem.DigestMismatch(expected, actual).raise();
        }
    }

    /// Links a staged blob to the repository, with a lease, and returns the blob's id. A digest that already
    /// exists keeps its bytes unless they are damaged; the other copy is queued for deletion.
    public long link(Tx tx, Repository repository, StagedBlob staged) {
        return links.make(tx, repository, List.of(staged))
                .get(staged.digest())
                .blob()
                .id();
    }

    /// Links many blobs with as few statements as one. Rows are taken in the order of their digests, so that
    /// transactions that link some of the same blobs never deadlock.
    public void link(Tx tx, Repository repository, Collection<StagedBlob> staged) {
        if (!staged.isEmpty()) {
            links.make(tx, repository, staged);
        }
    }

    /// Links blobs to a repository that the transaction has locked.
    public LinkedBlobs link(Tx tx, Repository repository, HeldBlobs held) {
        return held.staged().isEmpty() ? LinkedBlobs.NONE : new LinkedBlobs(links.make(tx, repository, held));
    }

    /// Links a blob of `from`, which the caller may read, to `to`. Returns the blob's id; empty if `from` does
    /// not hold it.
    public Optional<Long> mount(Tx tx, Repository from, Repository to, Digest digest) {
        var blob = BlobRows.holdLinks(tx, from.id(), List.of(digest)).stream()
                .map(BlobRows.Linked::blob)
                .findFirst();
        blob.ifPresent(found -> {
            BlobRows.link(tx, to.id(), List.of(found), keeping.leaseEnd(tx));
            AbsentRows.fillBlobs(tx, to.id(), List.of(found.id()));
        });
        return blob.map(BlobRecord::id);
    }

    /// Makes the collector look at a blob soon, because something other than a manifest no longer needs it.
    public void letGo(Tx tx, Repository repository, Digest digest) {
        BlobRows.lookAt(tx, repository.id(), digest);
    }

    /// Removes a blob from a repository that the caller has locked. If no other repository holds it, its bytes
    /// are queued for deletion and removed once no download can be reading them.
    ///
    /// @throws dev.sheaf.model.ProblemException blob-unknown; conflict while a manifest or a working asset of
    /// the repository refers to it
    public void delete(Tx tx, Repository repository, Digest digest, BundleHolds holds) {
        // lock the blob's row before the link, as uploads do, to avoid deadlocks
        var blob =
                BlobRows.lock(tx, repository.id(), digest).orElseThrow(() -> new Problem.BlobUnknown(digest).raise());
        ManifestRows.referringTo(tx, repository.id(), blob.id()).ifPresent(manifest -> {
            throw new Problem.Conflict("the blob " + digest + " is needed by the manifest " + manifest
                            + "; delete the manifest first")
                    .raise();
        });
        if (!holds.workingAssets(tx, repository.id(), blob.id(), 1).isEmpty()) {
            throw new Problem.Conflict("the blob " + digest + " is a working asset of " + repository.name()
                            + "; delete the asset first")
                    .raise();
        }
        BlobRows.unlink(tx, repository.id(), blob.id());
        if (BlobRows.deleteUnlinked(tx, blob.id())) {
            DeletionRows.seen(
                    tx, blob, keeping.bytesUntil(tx), repository.id(), "deleted from the last repository that held it");
        }
        Repositories.announce(tx, repository.name());
    }

    /// Deletes staged bytes, unless a row refers to them after all: a commit whose answer was lost may have
    /// succeeded.
    public void discard(StagedBlob staged) {
        if (staged instanceof StagedBlob.Stored stored && !isNamed(stored)) {
            store.delete(stored.object());
        }
    }

    /// Deletes staged bytes after a failure. If deleting fails too, that failure is added to `why`, the one that
    /// counts.
    public void discard(Collection<StagedBlob> staged, RuntimeException why) {
        staged.forEach(blob -> CleanUp.after(why, () -> discard(blob)));
    }

    private boolean isNamed(StagedBlob.Stored stored) {
        return database.read(tx -> BlobRows.object(tx, stored.digest()))
                .filter(stored.object()::equals)
                .isPresent();
    }

    // --- reading ---

    /// Returns the blob if this repository holds it. Cached until a change to the repository is announced.
    public Optional<BlobRecord> find(Repository repository, Digest digest) {
        return held.get(repository, digest, () -> database.read(tx -> BlobRows.find(tx, repository.id(), digest)));
    }

    /// Returns who may read a blob of the repository. Costs nothing where nothing is recalled, held or reviewed.
    public BlobAccess access(Repository repository, BlobRecord blob) {
        return repository.isOpen()
                ? BlobAccess.OPEN
                : access.get(
                                repository,
                                blob.id(),
                                () -> Optional.of(database.read(tx -> RecalledRows.access(tx, repository, blob.id()))))
                        .orElseThrow();
    }

    /// Returns the bytes of a blob that [#find] returned.
    ///
    /// @throws dev.sheaf.model.ProblemException blob-unknown if they are missing or damaged; the blob is then
    /// distrusted until it is uploaded again
    public BlobContent open(BlobRecord blob) {
        assert CpuPool.mayWait() : "a thread that computes waits for the blob store";
        var object = blob.object();
        if (object == null) {
            return contents.find(blob.id(), id -> inline(blob))
                    .map(BlobContent::inline)
                    .orElseThrow(() -> new Problem.BlobUnknown(blob.digest()).raise());
        }
        var opened = store.open(object, blob.size());
        if (opened.isEmpty()) {
            damage.report(blob, DamagedContent.MISSING);
            throw new Problem.BlobUnknown(blob.digest()).raise();
        }
        return new BlobContent(opened.get(), failure -> lookAgain(blob, object, failure));
    }

    /// Returns a URL of the blob store for a blob that was just opened. Empty if the store offers none. It is
    /// valid for a quarter of an hour; deleted bytes are kept far longer.
    public Optional<URI> presign(BlobRecord blob) {
        return Optional.ofNullable(blob.object()).flatMap(object -> store.presign(object, URL_LIFETIME));
    }

    /// Examines a failed read: the reader may have gone away, the store may have failed, or the object may have
    /// changed.
    private void lookAgain(BlobRecord blob, ObjectId object, IOException failure) {
        try {
            if (failure instanceof UnreadableException) {
                damage.report(blob, DamagedContent.UNREADABLE);
            } else if (store.open(object, blob.size()).isEmpty()) {
                damage.report(blob, DamagedContent.MISSING);
            }
        } catch (ProblemException e) {
            failure.addSuppressed(e);
        }
    }

    private Optional<byte[]> inline(BlobRecord blob) {
        var content = database.read(tx -> BlobRows.content(tx, blob.id()))
                .filter(bytes -> DamagedContent.has(bytes, blob.digest()));
        if (content.isEmpty()) {
            damage.report(blob, DamagedContent.ALTERED);
        }
        return content;
    }
}
