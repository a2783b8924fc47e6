package dev.sheaf.server.registry.upload;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.blob.DraftId;
import dev.sheaf.engine.blob.DraftLostException;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Scope;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.org.quota.QuotaReservation;
import dev.sheaf.server.org.quota.UsageAmounts;
import dev.sheaf.server.registry.CleanUp;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.RepositoryRows;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.DeletionRows;
import dev.sheaf.server.registry.content.HashingStream;
import dev.sheaf.server.registry.content.SizeLimit;
import dev.sheaf.server.registry.content.StagedBlob;
import dev.sheaf.server.registry.content.UploadRecord;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Uploads in chunks (distribution-spec, "Pushing a blob in chunks"). Thread-safe.
///
/// An upload is a row with an offset. Compare-and-set advances the offset once bytes are durable, so any node
/// can continue the upload. If a chunk breaks off, the bytes that arrived are kept. An upload belongs to the
/// principal who began it, whatever token is used, and expires 24 hours after its last bytes.
public final class Uploads {
    private static final Logger LOG = LoggerFactory.getLogger(Uploads.class);
    private static final Duration LIFETIME = Duration.ofHours(24);
    private static final Duration IDLE = Duration.ofMinutes(10); // after which an upload makes room for another
    private static final UploadChunk NOTHING = UploadChunk.of(0L, InputStream.nullInputStream());

    private final Database database;
    private final BlobStore store;
    private final Blobs blobs;
    private final QuotaCheck quotas;
    private final UploadLimits limits;
    private final HashStates hashes = new HashStates();
    private final OpenUploads open;
    private final UploadEnd end;
    private final Set<UUID> busy = ConcurrentHashMap.newKeySet();

    /// An upload and the caller who uses it.
    ///
    /// @param repository null if its content belongs to no repository yet
    public record Target(@Nullable Repository repository, UUID id, Caller caller) {
        @Nullable
        Long repositoryId() {
            return repository == null ? null : repository.id();
        }
    }

    /// An upload of content that belongs to no repository yet.
    ///
    /// @param promise what its content must be
    public record Held(UploadRecord upload, String promise) {}

    /// The progress of an upload.
    ///
    /// @param written bytes received
    public record Progress(UUID id, long written) {}

    public Uploads(Database database, BlobStore store, Blobs blobs, QuotaCheck quotas, UploadLimits limits) {
        this.database = database;
        this.store = store;
        this.blobs = blobs;
        this.quotas = quotas;
        this.limits = limits;
        this.open = new OpenUploads(database, hashes);
        this.end = new UploadEnd(database, store, blobs, quotas, hashes, open);
    }

    /// Uploads a blob in one piece.
    ///
    /// @throws IOException if the stream breaks off
    /// @throws ProblemException digest-mismatch, payload-too-large, quota-exceeded or storage-full; nothing is
    /// stored
    public void push(Repository repository, UploadChunk whole, Digest digest) throws IOException {
        StagedBlob staged;
        try (var reserve = quotas.reserve(repository.organizationId())) {
            var room = SizeLimit.upTo(limits.blobBytes()).and(room(reserve, repository, digest, 0));
            room.admit(whole.announced());
            staged = blobs.stage(whole.content(), digest, room);
        }
        try {
            database.write(tx -> {
                quotas.enforce(tx);
                return blobs.link(tx, repository, staged);
            });
        } catch (RuntimeException e) {
            blobs.discard(List.of(staged), e);
            throw e;
        }
    }

    /// Returns the limit that the quota sets for content with a known digest. Content that the repository
    /// already holds takes no quota.
    ///
    /// @param before bytes that arrived before
    private SizeLimit room(QuotaReservation reserve, Repository repository, Digest digest, long before) {
        return bytes -> reserve.grow(bytes, () -> before + bytes <= held(repository, digest));
    }

    /// Returns how many bytes with this digest the repository already holds.
    private long held(Repository repository, Digest digest) {
        return blobs.find(repository, digest).map(BlobRecord::size).orElse(0L);
    }

    /// Links a blob of `from`, which the caller may read, to `to`. Returns false if `from` does not hold it.
    ///
    /// @throws ProblemException quota-exceeded
    public boolean mount(Repository from, Repository to, Digest digest) {
        return database.write(tx -> {
                    quotas.enforce(tx);
                    return blobs.mount(tx, from, to, digest);
                })
                .isPresent();
    }

    /// Begins an empty upload.
    ///
    /// @param algorithm the algorithm of the digest that will probably end it; another one works too, but then
    /// the bytes are read once more
    /// @throws ProblemException quota-exceeded if there is no room for a single byte; storage-full;
    /// too-many-uploads if too many are open
    public Progress begin(Repository repository, Caller caller, Digest.Algorithm algorithm) {
        return begin(repository.organizationId(), (tx, draft) -> {
            if (!RepositoryRows.hold(tx, repository.id())) {
                throw new Problem.BundleNotFound(repository.name(), "").raise();
            }
            var begun = new UploadRecord(
                    TimeOrderedIds.next(tx.now()),
                    repository.id(),
                    repository.organizationId(),
                    caller.actor(),
                    algorithm,
                    draft,
                    0,
                    tx.now().plus(LIFETIME),
                    null);
            return insert(tx, begun);
        });
    }

    /// Begins an empty upload of content that belongs to no repository yet: [#held] returns it when it is published.
    ///
    /// @param promise what its content will be
    /// @throws ProblemException those of [#begin(Repository, Caller, Digest.Algorithm)]
    public UUID begin(Caller.Known caller, String promise) {
        return begin(caller.organizationId(), (tx, draft) -> {
                    var begun = new UploadRecord(
                            TimeOrderedIds.next(tx.now()),
                            null,
                            caller.organizationId(),
                            caller.actor(),
                            Digest.Algorithm.SHA256,
                            draft,
                            0,
                            tx.now().plus(LIFETIME),
                            promise);
                    return insert(tx, begun);
                })
                .id();
    }

    private Progress begin(UUID owner, BiFunction<Tx, DraftId, Progress> inserting) {
        quotas.admit(owner, UsageAmounts.ofBytes(1));
        store.admit(0);
        var draft = store.begin();
        try {
            return database.write(tx -> inserting.apply(tx, draft));
        } catch (RuntimeException e) {
            CleanUp.after(e, () -> store.abort(draft));
            throw e;
        }
    }

    private Progress insert(Tx tx, UploadRecord begun) {
        makeRoom(tx, Objects.requireNonNull(begun.organizationId()), begun.principal());
        UploadRows.insert(tx, begun);
        return new Progress(begun.id(), 0);
    }

    /// Ends the upload that nobody has used for longest, if one more would exceed a limit: a client that broke off does
    /// not come back for it.
    ///
    /// @throws ProblemException too-many-uploads if all were used lately
    private void makeRoom(Tx tx, UUID owner, String principal) {
        var now = UploadRows.open(tx, owner, principal);
        if (limits.hasRoom(now)) {
            return;
        }
        var before = tx.now().plus(LIFETIME).minus(IDLE);
        String whose = limits.isOver(now.ofPrincipal()) ? principal : null;
        boolean ended = UploadRows.idle(tx, owner, whose, before, busy.size() + 1).stream()
                .filter(upload -> !busy.contains(upload.id()))
                .findFirst()
                .filter(upload -> UploadRows.remove(tx, upload))
                .map(upload -> {
                    DeletionRows.draft(tx, upload, "another one began, and nobody used it");
                    return upload;
                })
                .isPresent();
        if (!ended) {
            limits.checkOpen(now);
        }
    }

    /// @throws ProblemException upload-unknown if the upload does not exist, has expired, or belongs to another
    /// caller or repository
    public Progress status(Target target) {
        var upload = open.load(target);
        return new Progress(upload.id(), upload.written());
    }

    /// Adds a chunk. Its bytes are durable when this returns.
    ///
    /// @throws IOException if the chunk breaks off; the upload then keeps the bytes that arrived
    /// @throws ProblemException upload-unknown, upload-range-invalid, payload-too-large, storage-full or
    /// conflict (while another request writes to the same upload); the upload stays as it was. quota-exceeded,
    /// or payload-too-large for the whole quota; then the upload and its bytes are deleted
    public Progress append(Target target, UploadChunk sent) throws IOException {
        return alone(target, (upload, reserve) -> {
            var chunk = arriving(upload, sent);
            var room = SizeLimit.upTo(limits.blobBytes())
                    .after(upload.written())
                    .and(bytes -> reserve.grow(bytes, () -> false));
            admit(upload, chunk, room);
            return new Progress(
                    upload.id(), extend(upload, chunk, room, reserve, 0).written());
        });
    }

    /// Appends the chunk and commits it durably.
    ///
    /// @param held total bytes that need no quota: the repository already holds them, and they will be deleted
    /// soon
    private UploadRecord extend(
            UploadRecord upload, UploadChunk chunk, SizeLimit room, QuotaReservation reserve, long held)
            throws IOException {
        var hash = hashes.of(upload, upload.algorithm()).orElse(null);
        var content = HashingStream.keeping(chunk.content(), hash, room);
        long count = store.append(upload.draft(), upload.written(), content);
        if (content.broken().isEmpty()) {
            chunk.checkLength(count);
        } else if (count == 0) {
            throw content.broken().get();
        }
        var draft = store.sync(upload.draft());
        reserve.close();
        Optional<UploadRecord> extended;
        try {
            extended = database.write(tx -> {
                var next = upload.at(draft, upload.written() + count, tx.now().plus(LIFETIME));
                if (next.written() > held) {
                    quotas.enforce(tx);
                }
                return UploadRows.advance(tx, upload, next) ? Optional.of(next) : Optional.empty();
            });
        } catch (ProblemException e) {
            CleanUp.after(e, () -> store.release(draft, upload.draft()));
            throw e;
        }
        if (extended.isEmpty()) {
            store.release(draft, upload.draft());
            throw open.elsewhere(upload);
        }
        store.release(upload.draft(), draft);
        if (hash != null) {
            hashes.remember(upload, upload.written() + count, hash);
        }
        if (content.broken().isPresent()) {
            throw content.broken().get();
        }
        return extended.get();
    }

    /// Returns the chunk, whose bytes show every node that the upload is used while they arrive.
    private UploadChunk arriving(UploadRecord upload, UploadChunk chunk) {
        var bytes = new ArrivingBytes(
                chunk.content(),
                database::now,
                now -> database.write(tx -> UploadRows.use(tx, upload.id(), now.plus(LIFETIME))));
        return new UploadChunk(chunk.start(), chunk.length(), bytes);
    }

    private void admit(UploadRecord upload, UploadChunk chunk, SizeLimit room) {
        chunk.checkStart(upload.id(), upload.written());
        long announced = chunk.announced();
        room.admit(announced);
        store.admit(announced);
    }

    /// Adds the last chunk, which may be empty, and links the blob to the repository.
    ///
    /// @throws IOException those of [#append]
    /// @throws ProblemException those of [#append]; digest-mismatch, after which the upload and its bytes are
    /// deleted
    public void finish(Target target, UploadChunk sent, Digest digest) throws IOException {
        var repository = Objects.requireNonNull(target.repository());
        alone(target, (upload, reserve) -> {
            var last = arriving(upload, sent);
            var room = SizeLimit.upTo(limits.blobBytes())
                    .after(upload.written())
                    .and(room(reserve, repository, digest, upload.written()));
            admit(upload, last, room);
            if (store.isShared(upload.draft())) {
                // Nodes that end it at the same time must all create the same object, so its content is settled
                // first.
                var whole = extend(upload, last, room, reserve, held(repository, digest));
                end.commit(repository, whole, end.gather(whole, NOTHING, digest, room));
            } else {
                var staged = end.gather(upload, last, digest, room);
                reserve.close();
                end.commit(repository, upload, staged);
            }
            hashes.forget(upload.id());
            return upload;
        });
    }

    /// Returns an upload that was begun lately and belongs to no repository yet.
    ///
    /// @param age how long ago it was begun at most
    /// @throws ProblemException upload-unknown if it was begun before that, or as for [#status]
    public Held held(Caller.Known caller, UUID id, Duration age) {
        var upload = open.load(new Target(null, id, caller));
        long begun = TimeOrderedIds.millis(id.toString(), 0);
        String promise = upload.promise();
        if (promise == null || begun < database.now().minus(age).toEpochMilli()) {
            throw OpenUploads.unknown(id);
        }
        return new Held(upload, promise);
    }

    /// Takes all bytes of an upload that belongs to no repository yet. Sending them again changes nothing.
    ///
    /// @throws ProblemException those of [#append]
    public void fill(Caller caller, Held held, byte[] bytes) {
        if (held.upload().written() < bytes.length) {
            try {
                append(
                        new Target(null, held.upload().id(), caller),
                        new UploadChunk(0L, (long) bytes.length, new ByteArrayInputStream(bytes)));
            } catch (IOException e) {
                throw new UncheckedIOException(e); // never from memory
            }
        }
    }

    /// Returns the bytes of an upload that have arrived, which must be few enough for memory.
    ///
    /// @throws ProblemException upload-unknown if they were lost
    public byte[] content(Held held) {
        var upload = held.upload();
        try {
            return upload.written() == 0 ? new byte[0] : store.read(upload.draft(), (int) upload.written());
        } catch (DraftLostException e) {
            LOG.error("an upload has lost its bytes", e);
            throw OpenUploads.unknown(upload.id());
        }
    }

    /// Ends an upload in the transaction that publishes its content.
    ///
    /// @throws ProblemException upload-unknown if another request has ended or changed it
    public static void end(Tx tx, UploadRecord upload) {
        if (!UploadRows.remove(tx, upload)) {
            throw OpenUploads.unknown(upload.id());
        }
        DeletionRows.draft(tx, upload, "published");
    }

    /// Ends an upload without a blob.
    ///
    /// @throws ProblemException those of [#status]
    public void cancel(Target target) {
        open.drop(open.load(target), "cancelled");
    }

    /// Drops one batch of expired uploads and returns how many.
    public int expire() {
        return open.expire();
    }

    /// Returns the number of open uploads.
    public long opened() {
        return open.count();
    }

    /// Returns the organization whose quota the bytes of an upload count against.
    private static UUID owner(Target target) {
        return target.repository() != null
                ? target.repository().organizationId()
                : Access.scope(target.caller(), Scope.WRITE).organizationId();
    }

    private interface Work<T> {
        T on(UploadRecord upload, QuotaReservation reserve) throws IOException;
    }

    /// Runs work that writes to an upload, one at a time, because its draft allows only one writer.
    private <T> T alone(Target target, Work<T> work) throws IOException {
        if (!busy.add(target.id())) {
            throw new Problem.Conflict(
                            "another request is writing to this upload; wait until it has finished, or start a new upload")
                    .raise();
        }
        try {
            var upload = open.load(target);
            try (var reserve = quotas.reserve(owner(target))) {
                return work.on(upload, reserve);
            } catch (DraftLostException e) {
                LOG.error("an upload has lost its bytes and is dropped", e);
                open.reload(upload).ifPresent(now -> open.drop(now, "its bytes were lost"));
                throw OpenUploads.unknown(upload.id());
            } catch (ProblemException e) {
                if (QuotaCheck.isRefusal(e.problem())) { // otherwise its bytes would only take space until it expires
                    open.reload(upload).ifPresent(now -> open.drop(now, "it exceeds the quota"));
                }
                throw e;
            } finally {
                store.leave(upload.draft());
            }
        } finally {
            busy.remove(target.id());
        }
    }
}
