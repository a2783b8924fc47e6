package dev.sheaf.engine.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.blob.s3.S3BlobStore;
import dev.sheaf.engine.metrics.CallTimes;
import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.Buckets;
import dev.sheaf.server.testing.Eventually;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a URL of the bucket is good for, and what it is not.
class S3PresignTest {
    /// The server judges the time, and this one, like S3 itself, refuses what is over.
    @Test
    void aPresignedUrlNamesOneObjectAndEnds(@TempDir Path folder) throws Exception {
        var bucket = Buckets.fresh();
        var store = new S3BlobStore(bucket, folder, 0, new TransferBuffers(), CallTimes.OFF);
        var bytes = BlobStoreContract.random(9, 50_000);
        var draft = store.begin();
        store.append(draft, 0, BlobStoreContract.stream(bytes, 0, bytes.length));
        var object = store.complete(draft, Digest.sha256(bytes), bytes.length);

        String url = store.presign(object, Duration.ofSeconds(1)).orElseThrow().toString();

        assertThat(url)
                .startsWith(bucket.endpoint() + "/" + bucket.bucket() + "/")
                .contains("X-Amz-Expires=1&", "X-Amz-SignedHeaders=host")
                .doesNotContain(Buckets.SECRET);
        try (var client = HttpClient.newHttpClient()) {
            assertThat(status(client, url.replace(object.part(), "0".repeat(32))))
                    .isEqualTo(403);
            assertThat(status(client, url.replace("Expires=1&", "Expires=900&")))
                    .isEqualTo(403);
            Eventually.within(Duration.ofSeconds(30), () -> status(client, url) == 403);
        }
    }

    private static int status(HttpClient client, String url) {
        try {
            return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
