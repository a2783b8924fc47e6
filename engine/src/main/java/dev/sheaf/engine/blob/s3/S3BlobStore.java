package dev.sheaf.engine.blob.s3;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.blob.DiskRoom;
import dev.sheaf.engine.blob.DraftId;
import dev.sheaf.engine.blob.DraftLostException;
import dev.sheaf.engine.blob.ObjectId;
import dev.sheaf.engine.blob.SpoolFile;
import dev.sheaf.engine.blob.StoredItem;
import dev.sheaf.engine.blob.StoredObject;
import dev.sheaf.engine.blob.TransferBuffers;
import dev.sheaf.engine.metrics.CallTimes;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stores objects in a bucket of S3 or a compatible server, for any number of processes. An object appears as a
/// whole under a random name when its single upload completes, and never changes.
///
/// A draft consists of parts of a multipart upload and a tail; see [S3Draft]. Each transfer uses one buffer of
/// memory; bytes that are not yet enough for a request are collected in a file.
public final class S3BlobStore implements BlobStore {
    private static final Logger LOG = LoggerFactory.getLogger(S3BlobStore.class);

    private final S3Bucket bucket;
    private final S3Listing listing;
    private final TransferBuffers buffers;
    private final DiskRoom room;
    private final S3Writing.Environment environment;
    private final Map<String, S3Writing> writings = new ConcurrentHashMap<>();

    /// @param spools a folder that only this process uses; emptied
    /// @param minimumFree bytes that must stay free on its disk
    /// @param times measures the requests to the bucket
    /// @throws BucketException if the bucket cannot be used, which is tested with an object; the bucket is never
    /// created
    public S3BlobStore(S3Settings settings, Path spools, long minimumFree, TransferBuffers buffers, CallTimes times) {
        this(new S3Bucket(settings, times), spools, minimumFree, buffers);
    }

    S3BlobStore(S3Bucket bucket, Path spools, long minimumFree, TransferBuffers buffers) {
        this.bucket = bucket;
        this.listing = new S3Listing(bucket);
        this.buffers = buffers;
        bucket.check();
        SpoolFile.prepare(spools);
        bucket.tryOut(spools);
        this.room = DiskRoom.of(spools, minimumFree);
        this.environment = new S3Writing.Environment(bucket, buffers, room, spools);
    }

    /// Checks that the bucket exists without writing anything.
    ///
    /// @throws BucketException if the bucket is missing or this key may not see it
    public static void look(S3Settings settings) {
        new S3Bucket(settings, CallTimes.OFF).check();
    }

    @Override
    public void probe() {
        bucket.probe();
    }

    @Override
    public Optional<String> mark() {
        return Optional.of(bucket.mark().read()).filter(text -> !text.isEmpty());
    }

    @Override
    public void mark(String installation) {
        bucket.mark().set(installation, bucket::put);
    }

    @Override
    public String markPlace() {
        return bucket.mark().place();
    }

    @Override
    public boolean isRefusing() {
        return bucket.calls().isRefusing();
    }

    /// Checks only that there is room to collect a part; the size of a bucket is not limited.
    @Override
    public void admit(long bytes) {
        room.check(0);
    }

    @Override
    public DraftId begin() {
        return DraftId.random();
    }

    @Override
    public long append(DraftId draft, long offset, InputStream content) throws IOException {
        boolean done = false;
        try {
            var writing = writing(draft, offset);
            long count = writing.append(content);
            done = true;
            return count;
        } finally {
            if (!done) {
                leave(draft);
            }
        }
    }

    /// Returns the writer of a draft of `offset` bytes: the writer of this process, or a new one that continues
    /// from the handle.
    private S3Writing writing(DraftId draft, long offset) {
        var known = writings.get(draft.part());
        if (known != null && known.length() == offset) {
            return known;
        }
        leave(draft);
        var writing = new S3Writing(environment, draft);
        writings.put(draft.part(), writing);
        if (writing.length() != offset) {
            throw new DraftLostException(draft, offset, writing.length());
        }
        return writing;
    }

    @Override
    public DraftId sync(DraftId draft) {
        var writing = writings.get(draft.part());
        if (writing == null) {
            return draft;
        }
        try {
            return writing.save();
        } finally {
            leave(draft);
        }
    }

    @Override
    public void leave(DraftId draft) {
        var writing = writings.remove(draft.part());
        if (writing != null) {
            writing.close();
        }
    }

    @Override
    public void release(DraftId dropped, DraftId kept) {
        var needless = S3Draft.of(dropped);
        var needed = S3Draft.of(kept);
        String tail = needless.tail().object();
        try {
            if (!tail.isEmpty() && !tail.equals(needed.tail().object())) {
                bucket.delete(tail);
            }
            var upload = needless.upload();
            if (upload != null && !upload.equals(needed.upload())) {
                bucket.abort(upload);
            }
        } catch (ProblemException e) {
            LOG.warn("cannot delete data that a draft no longer needs; it stays in the bucket", e);
        }
    }

    /// Returns true if the draft has a handle: every process that reads the handle gets the same object.
    @Override
    public boolean isShared(DraftId draft) {
        return !draft.handle().isEmpty();
    }

    @Override
    public byte[] read(DraftId draft, int length) {
        try {
            return writing(draft, length).bytes();
        } finally {
            leave(draft);
        }
    }

    @Override
    public ObjectId complete(DraftId draft, Digest digest, long length) {
        try {
            return writing(draft, length).complete(digest);
        } finally {
            leave(draft);
        }
    }

    /// Does nothing: completing the draft again returns the same object.
    @Override
    public void reopen(DraftId draft, Digest digest) {
        // see above
    }

    @Override
    public Optional<StoredObject> open(ObjectId object, long length) {
        var found = bucket.length(object.part());
        return found.isPresent() && found.getAsLong() == length
                ? Optional.of(new S3Object(bucket, object.part(), length, buffers))
                : Optional.empty();
    }

    @Override
    public Optional<URI> presign(ObjectId object, Duration lifetime) {
        return Optional.of(bucket.presign(object.part(), lifetime));
    }

    @Override
    public void delete(ObjectId object) {
        bucket.delete(object.part());
    }

    @Override
    public void abort(DraftId draft) {
        leave(draft);
        var state = S3Draft.of(draft);
        var upload = state.upload();
        if (upload != null) {
            bucket.abort(upload);
            bucket.delete(upload.object());
        }
        if (!state.tail().object().isEmpty()) {
            bucket.delete(state.tail().object());
        }
    }

    @Override
    public List<StoredItem> list(String after, int limit) {
        return listing.after(after, limit);
    }

    @Override
    public Set<String> parts(DraftId draft) {
        var state = S3Draft.of(draft);
        var parts = new HashSet<String>();
        if (state.upload() != null) {
            parts.add(state.upload().object());
        }
        if (!state.tail().object().isEmpty()) {
            parts.add(state.tail().object());
        }
        return parts;
    }

    @Override
    public StoredItem quarantine(StoredItem item) {
        return item;
    }

    @Override
    public void bringBack(StoredItem item) {
        // quarantine did not move it
    }

    @Override
    public void remove(StoredItem item) {
        S3Listing.upload(item).ifPresentOrElse(bucket::abort, () -> bucket.delete(item.part()));
    }
}
