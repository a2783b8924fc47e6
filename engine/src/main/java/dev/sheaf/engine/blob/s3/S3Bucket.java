package dev.sheaf.engine.blob.s3;

import dev.sheaf.engine.blob.DraftId;
import dev.sheaf.engine.blob.SpoolFile;
import dev.sheaf.engine.blob.StoredItem;
import dev.sheaf.engine.blob.s3.S3Draft.Multipart;
import dev.sheaf.engine.blob.s3.S3Draft.Part;
import dev.sheaf.engine.metrics.CallTimes;
import dev.sheaf.model.Problem;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/// The requests that the blob store sends to a bucket. Only maintenance lists objects; nothing is copied, and no
/// conditional requests are used.
///
/// Failures are logged; the caller only learns that the store is unavailable.
final class S3Bucket {
    private static final Logger LOG = LoggerFactory.getLogger(S3Bucket.class);
    static final int NOT_FOUND = 404;
    static final int NOT_IMPLEMENTED = 501;
    private static final String OCTETS = "application/octet-stream";
    private static final String PREFIX = "objects/";

    /// Thrown if the object or upload of a request is missing or has changed.
    static final class GoneException extends Exception {
        private static final long serialVersionUID = 1;

        GoneException(String what) {
            super(what);
        }
    }

    private final String name;
    private final boolean checksums;
    private final S3Limits limits;
    private final S3Calls calls;
    private final S3Mark mark;
    private final S3Client client;
    private final S3Client patient;
    private final S3Presigner presigner;

    S3Bucket(S3Settings settings, CallTimes times) {
        this(settings, times, S3Limits.USUAL);
    }

    S3Bucket(S3Settings settings, CallTimes times, S3Limits limits) {
        this.name = settings.bucket();
        this.limits = limits;
        this.calls = new S3Calls(name, times);
        this.checksums = settings.checksums();
        this.client = S3Clients.client(settings, limits.silence());
        this.patient = S3Clients.patient(settings);
        this.presigner = S3Clients.presigner(settings);
        this.mark = new S3Mark(name, client, calls, limits);
    }

    S3Mark mark() {
        return mark;
    }

    S3Calls calls() {
        return calls;
    }

    S3Limits limits() {
        return limits;
    }

    /// @throws BucketException if the bucket is missing or cannot be reached with these settings
    void check() {
        new S3Trial(name, client).check();
    }

    /// @param spools the folder for temporary files
    /// @throws BucketException if objects cannot be put, read and deleted
    void tryOut(Path spools) {
        new S3Trial(name, client).tryOut(spools, this::put);
    }

    void put(PutObjectRequest.Builder request, String key) {
        request.bucket(name).key(key);
        if (checksums) {
            request.checksumAlgorithm(ChecksumAlgorithm.CRC32);
        }
    }

    /// @throws dev.sheaf.model.ProblemException unavailable if the bucket does not answer
    void probe() {
        calls.probe(() -> client.headBucket(request -> request.bucket(name)));
    }

    // --- objects ---

    void put(String object, SpoolFile content) {
        calls.call(
                "put an object in",
                object,
                () -> client.putObject(
                        request -> {
                            put(request, key(object));
                            request.overrideConfiguration(S3Limits.within(limits.toSend(content.length())));
                        },
                        body(content.file())));
        calls.written(content.length());
    }

    /// Returns the size of an object; empty if it is missing. It counts as missing only if the bucket itself
    /// answers: callers stop trusting the blob of a missing object, and an outage must not make all blobs
    /// untrusted.
    OptionalLong length(String object) {
        try {
            return OptionalLong.of(calls.attempt(
                    "look for an object in",
                    object,
                    () -> client.headObject(request -> request.bucket(name)
                                    .key(key(object))
                                    .overrideConfiguration(S3Limits.within(limits.toBegin())))
                            .contentLength()));
        } catch (GoneException e) {
            probe();
            mark.check();
            return OptionalLong.empty();
        }
    }

    ResponseInputStream<GetObjectResponse> get(String object, long offset, long count) throws GoneException {
        return get(object, offset, count, limits.toBegin());
    }

    /// @param count at least 1
    /// @param limit how long the content may take to begin; more than zero
    ResponseInputStream<GetObjectResponse> get(String object, long offset, long count, Duration limit)
            throws GoneException {
        String range = "bytes=" + offset + "-" + (offset + count - 1);
        return calls.attempt(
                "get an object from",
                object,
                () -> client.getObject(request -> request.bucket(name)
                        .key(key(object))
                        .range(range)
                        .overrideConfiguration(S3Limits.within(limit))));
    }

    /// Returns a URL for the object. The content type is one that browsers download and do not show.
    URI presign(String object, Duration lifetime) {
        var presigned = presigner.presignGetObject(request -> request.signatureDuration(lifetime)
                .getObjectRequest(get -> get.bucket(name).key(key(object)).responseContentType(OCTETS)));
        return URI.create(presigned.url().toString());
    }

    void delete(String object) {
        calls.call(
                "delete an object from",
                object,
                () -> client.deleteObject(request -> request.bucket(name).key(key(object))));
    }

    // --- multipart uploads ---

    Multipart create(String object) {
        return calls.call("begin an upload to", object, () -> {
            var created = client.createMultipartUpload(request -> {
                request.bucket(name).key(key(object));
                if (checksums) {
                    request.checksumAlgorithm(ChecksumAlgorithm.CRC32);
                }
            });
            return new Multipart(object, created.uploadId());
        });
    }

    Part upload(Multipart upload, int number, SpoolFile content) throws GoneException {
        return calls.attempt("upload a part to", upload.object(), () -> {
            var done = client.uploadPart(
                    request -> {
                        request.bucket(name)
                                .key(key(upload.object()))
                                .uploadId(upload.id())
                                .partNumber(number)
                                .overrideConfiguration(S3Limits.within(limits.toSend(content.length())));
                        if (checksums) {
                            request.checksumAlgorithm(ChecksumAlgorithm.CRC32);
                        }
                    },
                    body(content.file()));
            calls.written(content.length());
            return new Part(
                    number, content.length(), done.eTag(), Objects.requireNonNullElse(done.checksumCRC32(), ""));
        });
    }

    void complete(Multipart upload, List<Part> parts) throws GoneException {
        var completed = parts.stream().map(S3Bucket::completed).toList();
        calls.attemptLong(
                "complete an upload to",
                upload.object(),
                () -> patient.completeMultipartUpload(request -> request.bucket(name)
                        .key(key(upload.object()))
                        .uploadId(upload.id())
                        .multipartUpload(all -> all.parts(completed))));
    }

    private static CompletedPart completed(Part part) {
        var completed = CompletedPart.builder().partNumber(part.number()).eTag(part.tag());
        Optional.of(part.checksum()).filter(text -> !text.isEmpty()).ifPresent(completed::checksumCRC32);
        return completed.build();
    }

    void abort(Multipart upload) {
        try {
            calls.attempt(
                    "abort an upload to",
                    upload.object(),
                    () -> client.abortMultipartUpload(request ->
                            request.bucket(name).key(key(upload.object())).uploadId(upload.id())));
        } catch (GoneException e) {
            // another process was faster
        }
    }

    /// Returns at most `limit` objects whose parts sort after `after`; an empty list only at the end.
    List<StoredItem> objects(String after, int limit) {
        String last = PREFIX + after;
        while (true) {
            var found = keys(last, limit);
            var ours = found.stream()
                    .filter(object -> isOurs(object.key()))
                    .map(object -> S3Listing.object(object.key().substring(PREFIX.length()), object.size()))
                    .toList();
            if (found.isEmpty() || !ours.isEmpty()) {
                return ours;
            }
            last = found.getLast().key();
        }
    }

    private List<S3Object> keys(String after, int limit) {
        return calls.call(
                        "list the objects in",
                        () -> client.listObjectsV2(request -> request.bucket(name)
                                .prefix(PREFIX)
                                .startAfter(after)
                                .overrideConfiguration(S3Limits.within(S3Limits.LIST))
                                .maxKeys(limit)))
                .contents();
    }

    /// Returns up to a thousand uploads to objects whose parts sort after `after`.
    List<Multipart> uploads(String after) {
        var found = calls.call(
                "list the uploads to",
                () -> client.listMultipartUploads(request -> {
                    request.bucket(name).prefix(PREFIX).overrideConfiguration(S3Limits.within(S3Limits.LIST));
                    if (!after.isEmpty()) {
                        request.keyMarker(PREFIX + after);
                    }
                }));
        return found.uploads().stream()
                .filter(upload -> isOurs(upload.key()))
                .map(upload -> new Multipart(upload.key().substring(PREFIX.length()), upload.uploadId()))
                .filter(upload -> upload.object().compareTo(after) > 0) // some servers ignore the marker
                .toList();
    }

    /// Returns whether the key is one of ours. Other objects are left alone: somebody may have put them there on
    /// purpose.
    private static boolean isOurs(String key) {
        return key.startsWith(PREFIX) && DraftId.isPart(key.substring(PREFIX.length()));
    }

    static RequestBody body(Path file) {
        return RequestBody.fromFile(file);
    }

    private static String key(String object) {
        DraftId.check(object);
        return PREFIX + object;
    }

    static RuntimeException unavailable() {
        return new Problem.Unavailable("the blob store failed; try again", 5).raise();
    }
}
