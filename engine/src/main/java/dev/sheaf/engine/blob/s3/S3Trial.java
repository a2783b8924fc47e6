package dev.sheaf.engine.blob.s3;

import dev.sheaf.engine.blob.SpoolFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// Checks at the start whether a bucket can be used, and says what to do if it cannot.
final class S3Trial {
    private static final int TRIES = 4;

    private final String name;
    private final S3Client client;

    S3Trial(String name, S3Client client) {
        this.name = name;
        this.client = client;
    }

    /// @throws BucketException if the bucket is missing or cannot be reached with these settings
    void check() {
        try {
            client.headBucket(request -> request.bucket(name));
        } catch (S3Exception e) {
            String what = switch (e.statusCode()) {
                case S3Bucket.NOT_FOUND -> "the bucket " + name + " does not exist; create it, or correct s3-bucket";
                case 401, 403 ->
                    "this key may not use the bucket " + name + "; check s3-access-key-id,"
                            + " s3-secret-access-key and the rights of the key";
                case 301, 400 ->
                    "the bucket " + name + " cannot be reached with these settings (status " + e.statusCode()
                            + "); check s3-region, s3-endpoint and s3-path-style";
                default -> unreachable("status " + e.statusCode());
            };
            throw new BucketException(what, false, e.statusCode() >= 500);
        } catch (SdkException e) {
            throw new BucketException(unreachable(e.getMessage()), false, true);
        }
    }

    /// Puts, reads and deletes a small object in the same way as content. Some servers refuse this to a key that
    /// can see the bucket. Tries again if the connection breaks or the bucket fails, because this says nothing
    /// about the settings; not if the bucket is silent, since each further call would wait as long.
    ///
    /// @param spools the folder for temporary files
    /// @param put fills in the request that puts an object
    /// @throws BucketException if one of these steps fails
    void tryOut(Path spools, BiConsumer<PutObjectRequest.Builder, String> put) {
        for (int tries = 1; ; tries++) {
            var round = new Round("probe/" + UUID.randomUUID());
            try {
                round.run(spools, put);
                return;
            } catch (SdkException e) {
                boolean silent = e instanceof ApiCallTimeoutException;
                if (!silent) {
                    round.clean();
                }
                if (silent || tries == TRIES || isRefusal(e)) {
                    throw failure(round.step, e);
                }
            }
        }
    }

    private final class Round {
        private final String key;
        private String step = "stored";

        Round(String key) {
            this.key = key;
        }

        void run(Path spools, BiConsumer<PutObjectRequest.Builder, String> put) {
            byte[] bytes = key.getBytes(StandardCharsets.US_ASCII);
            try (var spool = new SpoolFile(spools)) {
                spool.write(bytes, bytes.length);
                client.putObject(request -> put.accept(request, key), S3Bucket.body(spool.file()));
            }
            step = "read";
            byte[] back = client.getObjectAsBytes(
                            request -> request.bucket(name).key(key).range("bytes=0-" + (bytes.length - 1)))
                    .asByteArray();
            if (!Arrays.equals(bytes, back)) {
                throw new BucketException(
                        "the bucket " + name + " returned different bytes than were stored", true, false);
            }
            step = "deleted";
            client.deleteObject(request -> request.bucket(name).key(key));
        }

        /// Removes the object, because the bucket may have it although the answer was lost.
        void clean() {
            try {
                client.deleteObject(request -> request.bucket(name).key(key));
            } catch (SdkException e) {
                // the failure before says more
            }
        }
    }

    private static boolean isRefusal(SdkException e) {
        return e instanceof S3Exception answer
                && (answer.statusCode() < 500 || answer.statusCode() == S3Bucket.NOT_IMPLEMENTED);
    }

    private BucketException failure(String step, SdkException e) {
        String what = "objects in the bucket " + name + " cannot be " + step;
        if (!(e instanceof S3Exception answer)) {
            return new BucketException(what + " (" + e.getMessage() + ")", true, true);
        }
        var details = answer.awsErrorDetails();
        return new BucketException(
                what + " (status " + answer.statusCode() + (details == null ? "" : " " + details.errorCode())
                        + "); the key needs the rights to put, get and delete objects",
                true,
                answer.statusCode() >= 500);
    }

    private String unreachable(@Nullable String why) {
        return "the bucket " + name + " cannot be reached (" + why + "); check s3-endpoint and the network";
    }
}
