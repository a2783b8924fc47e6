package dev.sheaf.server.registry.content;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.blob.BlobStore;
import dev.sheaf.server.blob.ObjectId;
import dev.sheaf.server.blob.UnreadableException;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.registry.ContentCache;
import dev.sheaf.server.registry.Holds;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.RepositoryCache;
import dev.sheaf.server.registry.RetentionPolicy;
import dev.sheaf.server.registry.Undo;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Blobs, and which repository holds which. Thread-safe.
///
/// Writing takes two steps: [#stage] keeps and hashes the bytes before any transaction, [#link] names them in
/// one. Where the transaction then fails, [#discard] takes the bytes back.
public final class Blobs {
    /// How long a URL of [#presign] works. Deleted bytes must stay longer than that.
    public static final Duration URL_LIFETIME = Duration.ofMinutes(15);

    private final Database database;
    private final BlobStore store;
    private final RetentionPolicy keeping;
    private final RepositoryCache<Digest, BlobRecord> held;
    private final ContentCache contents;
    private final Damage damage;
    private final BlobLinks links;

    /// How much may be kept in memory.
    ///
    /// @param entries how many (repository, blob) pairs
    /// @param bytes how many bytes of small blobs
    public record CacheSize(int entries, long bytes) {}

    public Blobs(Database database, BlobStore store, RetentionPolicy keeping, CacheSize cache) {
        this.database = database;
        this.store = store;
        this.keeping = keeping;
        this.held = new RepositoryCache<>(database, cache.entries());
        this.contents = new ContentCache(database, cache.bytes());
        this.damage = new Damage(database);
        this.links = new BlobLinks(keeping);
    }

    // --- writing ---

    /// Keeps bytes under their SHA-256 digest; the array is used and not copied.
    public StagedBlob stage(byte[] bytes) {
        return stage(Digest.sha256(bytes), bytes);
    }

    /// Asks for room on the disk for bytes that are to be staged.
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

    /// Keeps the bytes of a stream, which must have the digest.
    ///
    /// @throws IOException where the stream fails
    /// @throws dev.sheaf.model.ProblemException digest-mismatch, storage-full, or as the room says where the
    /// stream has more; nothing is kept
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

    /// Keeps the bytes of a stream under their SHA-256 digest.
    ///
    /// @param limit in bytes
    /// @throws IOException where the stream fails
    /// @throws dev.sheaf.model.ProblemException payload-too-large or storage-full; nothing is kept
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

    /// @param named says the digest of content that was read to its end
    private StagedBlob write(HashingStream content, Function<HashingStream, Digest> named) throws IOException {
        var draft = store.begin();
        try {
            long length = store.append(draft, 0, content);
            var digest = named.apply(content);
            var object = store.complete(draft, digest, length);
            return new StagedBlob.Stored(digest, length, object);
        } catch (IOException | RuntimeException e) {
            Undo.after(e, () -> store.abort(draft));
            throw e;
        }
    }

    public static void expect(Digest expected, Digest actual) {
        if (!expected.equals(actual)) {
            throw new Problem.DigestMismatch(expected, actual).raise();
        }
    }

    /// Makes the repository hold the staged blob, leased, and returns the blob's id. A digest that is there
    /// already keeps its bytes, unless they are damaged; the other copy is queued for deletion.
    public long link(Tx tx, Repository repository, StagedBlob staged) {
        return links.make(tx, repository, List.of(staged))
                .get(staged.digest())
                .blob()
                .id();
    }

    /// The same for many blobs, with as few statements as for one. Rows are taken in the order of their
    /// digests: transactions that link some of the same blobs then never wait for each other in a circle.
    public void link(Tx tx, Repository repository, Collection<StagedBlob> staged) {
        if (!staged.isEmpty()) {
            links.make(tx, repository, staged);
        }
    }

    /// Makes `to` hold a blob that `from` holds, which the caller may read; the blob's id, or empty where
    /// `from` does not hold it.
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

    /// Says that something other than a manifest has let go of a blob of the repository, so that the collector
    /// looks at it soon.
    public void letGo(Tx tx, Repository repository, Digest digest) {
        BlobRows.lookAt(tx, repository.id(), digest);
    }

    /// Takes a blob from a repository that the caller has locked. Where no other repository holds it, its bytes
    /// are queued for deletion, and go once no download can be reading them.
    ///
    /// @throws dev.sheaf.model.ProblemException blob-unknown; conflict while a manifest or a working asset of
    /// the repository refers to it
    public void delete(Tx tx, Repository repository, Digest digest, Holds holds) {
        // the blob's row before the link, as uploads take them: otherwise each could wait for the other
        var blob =
                BlobRows.lock(tx, repository.id(), digest).orElseThrow(() -> new Problem.BlobUnknown(digest).raise());
        ManifestRows.referringTo(tx, repository.id(), blob.id()).ifPresent(manifest -> {
            throw new Problem.Conflict(
                            "the blob " + digest + " is needed by the manifest " + manifest + "; delete that one first")
                    .raise();
        });
        if (!holds.workingAssets(tx, repository.id(), blob.id(), 1).isEmpty()) {
            throw new Problem.Conflict("the blob " + digest + " is an asset of " + repository.name()
                            + " as it is being edited; delete the asset first")
                    .raise();
        }
        BlobRows.unlink(tx, repository.id(), blob.id());
        if (BlobRows.deleteUnlinked(tx, blob.id())) {
            DeletionRows.seen(
                    tx, blob, keeping.bytesUntil(tx), repository.id(), "deleted from the last repository that held it");
        }
        Repositories.announce(tx, repository.name());
    }

    /// Takes staged bytes back, unless a row came to name them after all: a commit whose answer was lost may
    /// have happened.
    public void discard(StagedBlob staged) {
        if (staged instanceof StagedBlob.Stored stored && !isNamed(stored)) {
            store.delete(stored.object());
        }
    }

    /// The same for what a failure left; where that fails too, the first failure says so and is the one that
    /// counts.
    public void discard(Collection<StagedBlob> staged, RuntimeException why) {
        staged.forEach(blob -> Undo.after(why, () -> discard(blob)));
    }

    private boolean isNamed(StagedBlob.Stored stored) {
        return database.read(tx -> BlobRows.object(tx, stored.digest()))
                .filter(stored.object()::equals)
                .isPresent();
    }

    // --- reading ---

    /// The bytes of those of these blobs that are so small that rows hold them, for what a transaction must
    /// know of them.
    ///
    /// @param digests of blobs that the repository holds which the transaction is about
    public static Map<Digest, byte[]> small(Tx tx, Collection<Digest> digests) {
        return BlobRows.contents(tx, digests);
    }

    /// The blob, where this repository holds it. Cached until a change to the repository is announced.
    public Optional<BlobRecord> find(Repository repository, Digest digest) {
        return held.get(repository, digest, () -> database.read(tx -> BlobRows.find(tx, repository.id(), digest)));
    }

    /// The bytes of a blob that [#find] found.
    ///
    /// @throws dev.sheaf.model.ProblemException blob-unknown where they are missing or damaged: the blob is
    /// then not trusted until somebody uploads it again
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
            damage.report(blob, Damage.MISSING);
            throw new Problem.BlobUnknown(blob.digest()).raise();
        }
        return new BlobContent(opened.get(), failure -> lookAgain(blob, object, failure));
    }

    /// A URL of the blob store for a blob that was opened a moment ago; empty where its bytes have none. Good
    /// for a quarter of an hour, and the bytes stay far longer than that after they were deleted.
    public Optional<URI> presign(BlobRecord blob) {
        return Optional.ofNullable(blob.object()).flatMap(object -> store.presign(object, URL_LIFETIME));
    }

    /// Reading failed: because the reader went away, or the store, or because the object is not what it was.
    private void lookAgain(BlobRecord blob, ObjectId object, IOException failure) {
        try {
            if (failure instanceof UnreadableException) {
                damage.report(blob, Damage.UNREADABLE);
            } else if (store.open(object, blob.size()).isEmpty()) {
                damage.report(blob, Damage.MISSING);
            }
        } catch (ProblemException e) {
            failure.addSuppressed(e);
        }
    }

    private Optional<byte[]> inline(BlobRecord blob) {
        var content =
                database.read(tx -> BlobRows.content(tx, blob.id())).filter(bytes -> Damage.has(bytes, blob.digest()));
        if (content.isEmpty()) {
            damage.report(blob, Damage.ALTERED);
        }
        return content;
    }
}
