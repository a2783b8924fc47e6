package dev.sheaf.engine.blob.s3;

import dev.sheaf.engine.blob.DiskRoom;
import dev.sheaf.engine.blob.DraftId;
import dev.sheaf.engine.blob.DraftLostException;
import dev.sheaf.engine.blob.ObjectId;
import dev.sheaf.engine.blob.SpoolFile;
import dev.sheaf.engine.blob.TransferBuffers;
import dev.sheaf.engine.blob.s3.S3Bucket.GoneException;
import dev.sheaf.engine.blob.s3.S3Draft.Multipart;
import dev.sheaf.engine.blob.s3.S3Draft.Part;
import dev.sheaf.engine.blob.s3.S3Draft.Tail;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;

/// Continues a draft in one process. Bytes are collected in a spool and sent as a part only when more follow,
/// so that content of up to one part takes a single request. Closing it drops bytes that were neither saved nor
/// completed.
///
/// Not thread-safe.
final class S3Writing implements AutoCloseable {
    /// A tail of up to this many bytes is stored in the handle.
    static final int INLINE_TAIL = 32 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(S3Writing.class);
    private static final long PART = 8 << 20;
    private static final int PARTS_OF_A_SIZE = 1_000;
    private static final int LAST_SIZE = 9;
    private static final int LAST_NUMBER = 10_000;
    private static final int GAPS = 400;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Environment environment;
    private final DraftId draft;
    private final S3Draft saved;
    private final List<Part> parts;
    private @Nullable Multipart upload;
    private @Nullable SpoolFile spool;
    private long length;
    private boolean isKept;

    /// The objects that all writers of a store share.
    record Environment(S3Bucket bucket, TransferBuffers buffers, DiskRoom room, Path spools) {}

    S3Writing(Environment environment, DraftId draft) {
        this.environment = environment;
        this.draft = draft;
        this.saved = S3Draft.of(draft);
        this.parts = new ArrayList<>(saved.parts());
        this.upload = saved.upload();
        this.length = saved.length();
    }

    /// Returns the length of the draft, including the bytes appended here.
    long length() {
        return length;
    }

    long append(InputStream content) throws IOException {
        try (var held = environment.buffers.buffer(Long.MAX_VALUE)) {
            byte[] buffer = held.bytes();
            long count = 0;
            int read = content.readNBytes(buffer, 0, buffer.length); // also hashes them
            while (read > 0) {
                if (spool().length() >= partSize()) {
                    flush();
                }
                write(buffer, read);
                count += read;
                length += read;
                read = content.readNBytes(buffer, 0, buffer.length);
            }
            return count;
        }
    }

    private void write(byte[] bytes, int count) {
        var into = spool();
        if (into.length() == 0) {
            environment.room.check(partSize());
        }
        into.write(bytes, count);
    }

    /// Returns 8 MiB, doubled after every thousand parts, so that no object within the server's limit has too many
    /// parts.
    private long partSize() {
        return PART << Math.min(LAST_SIZE, parts.size() / PARTS_OF_A_SIZE);
    }

    /// Returns the spool, which holds the bytes after the last part.
    private SpoolFile spool() {
        if (spool == null) {
            spool = new SpoolFile(environment.spools);
            fill(spool);
        }
        return spool;
    }

    private void fill(SpoolFile empty) {
        var tail = saved.tail();
        if (tail.object().isEmpty()) {
            byte[] bytes = tail.bytes();
            empty.write(bytes, bytes.length);
        } else {
            try (var in = environment.bucket.get(tail.object(), 0, tail.length());
                    var held = environment.buffers.buffer(tail.length())) {
                byte[] buffer = held.bytes();
                int read = in.read(buffer);
                while (read >= 0) {
                    empty.write(buffer, read);
                    read = in.read(buffer);
                }
            } catch (GoneException e) {
                throw new DraftLostException(draft, saved.length(), saved.length() - tail.length());
            } catch (IOException | SdkException e) {
                environment.bucket.calls().brokeOff(tail.object(), e);
                throw S3Bucket.unavailable();
            }
        }
        if (empty.length() != tail.length()) {
            throw new DraftLostException(draft, saved.length(), saved.length() - tail.length() + empty.length());
        }
    }

    /// Uploads the collected bytes as the next part.
    private void flush() {
        try {
            uploadPart();
        } catch (GoneException e) {
            throw new DraftLostException(draft, saved.length(), 0);
        }
    }

    private void uploadPart() throws GoneException {
        if (upload == null) {
            upload = environment.bucket.create(DraftId.randomPart());
        }
        parts.add(environment.bucket.upload(upload, nextNumber(), spool()));
        spool().clear();
    }

    /// Returns the number of the next part. Another process may continue from the same state, so this one begins
    /// after a gap of random size to keep their parts apart. If the numbers collide anyway, completing fails,
    /// because the tag differs.
    private int nextNumber() {
        int last = parts.isEmpty() ? 0 : parts.getLast().number();
        boolean begins = parts.size() == saved.parts().size();
        int number = last + 1 + (begins ? RANDOM.nextInt(1 + (LAST_NUMBER - last) / GAPS) : 0);
        if (number > LAST_NUMBER) {
            throw new Problem.UploadInvalid("the upload has too many chunks; start a new one, with larger chunks")
                    .raise();
        }
        return number;
    }

    /// Makes all bytes durable.
    ///
    /// @return the draft to continue with
    DraftId save() {
        if (length == saved.length()) {
            return draft;
        }
        var next = new S3Draft(upload, parts, saveTail());
        isKept = true;
        return new DraftId(draft.part(), next.handle());
    }

    private Tail saveTail() {
        var bytes = spool();
        if (bytes.length() <= INLINE_TAIL) {
            return Tail.inline(bytes.bytes());
        }
        String object = DraftId.randomPart();
        environment.bucket.put(object, bytes);
        return new Tail(bytes.length(), object, "");
    }

    /// Returns all bytes of a draft without parts.
    byte[] bytes() {
        if (upload != null) {
            throw new IllegalStateException("a draft with parts is read as an object");
        }
        return spool().bytes();
    }

    ObjectId complete(Digest digest) {
        if (upload != null) {
            return new ObjectId(digest, completeUpload(upload));
        }
        String tail = saved.tail().object();
        if (length == saved.length() && !tail.isEmpty()) {
            return new ObjectId(digest, tail);
        }
        String object = DraftId.randomPart();
        environment.bucket.put(object, spool());
        isKept = true;
        return new ObjectId(digest, object);
    }

    /// Completes the upload. If another process, or a request whose answer was lost, has completed it already, the
    /// object is the same: a saved state has only one possible content, and no other process knows an unsaved one.
    private String completeUpload(Multipart multipart) {
        try {
            if (spool().length() > 0) {
                uploadPart();
            }
            environment.bucket.complete(multipart, parts);
        } catch (GoneException | DraftLostException e) {
            long found = environment.bucket.length(multipart.object()).orElse(0);
            if (found != length) {
                throw new DraftLostException(draft, length, found);
            }
        }
        isKept = true;
        if (!saved.tail().object().isEmpty()) {
            environment.bucket.delete(saved.tail().object());
        }
        return multipart.object();
    }

    @Override
    public void close() {
        if (spool != null) {
            spool.close();
        }
        // while the bucket is in doubt, the caller would wait for it once more
        if (!isKept
                && upload != null
                && saved.upload() == null
                && !environment.bucket.calls().isInDoubt()) {
            try {
                environment.bucket.abort(upload);
            } catch (ProblemException e) {
                LOG.warn("cannot abort an upload that nothing needs; it stays in the bucket", e);
            }
        }
    }
}
