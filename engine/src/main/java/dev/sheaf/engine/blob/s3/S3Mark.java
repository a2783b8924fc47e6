package dev.sheaf.engine.blob.s3;

import dev.sheaf.engine.blob.s3.S3Bucket.GoneException;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/// The object that names the installation to which a bucket belongs. Thread-safe.
final class S3Mark {
    private static final Logger LOG = LoggerFactory.getLogger(S3Mark.class);

    /// Beside the objects, because the rights of a key may end there.
    private static final String KEY = "objects/installation";

    private static final String RANGE = "bytes=0-99";

    private final String bucket;
    private final S3Client client;
    private final S3Calls calls;
    private final S3Limits limits;
    private volatile String owner = ""; // what the mark must be; empty if there need not be one

    S3Mark(String bucket, S3Client client, S3Calls calls, S3Limits limits) {
        this.bucket = bucket;
        this.client = client;
        this.calls = calls;
        this.limits = limits;
    }

    /// Returns the mark; empty if there is none.
    String read() {
        try {
            return calls.attempt(
                    "get the mark of",
                    KEY,
                    () -> client.getObjectAsBytes(request -> request.bucket(bucket)
                                    .key(KEY)
                                    .range(RANGE)
                                    .overrideConfiguration(S3Limits.within(limits.toBegin())))
                            .asUtf8String()
                            .strip());
        } catch (GoneException e) {
            return "";
        }
    }

    /// @param put fills in the request that puts an object
    void set(String installation, BiConsumer<PutObjectRequest.Builder, String> put) {
        if (!read().equals(installation)) {
            calls.call(
                    "put the mark of",
                    () -> client.putObject(
                            request -> put.accept(request, KEY), RequestBody.fromString(installation + "\n")));
        }
        owner = installation;
    }

    /// Makes sure that an object which was not found is missing, and not in another bucket.
    ///
    /// @throws dev.sheaf.model.ProblemException unavailable if the bucket has not the mark
    void check() {
        if (!owner.isEmpty() && !read().equals(owner)) {
            LOG.error("{} is missing or another one, so it is unknown which objects exist", place());
            throw S3Bucket.unavailable();
        }
    }

    String place() {
        return "the object " + KEY + " of the bucket " + bucket;
    }
}
