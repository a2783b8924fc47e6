package dev.sheaf.server.blob.s3;

import dev.sheaf.model.key.Secret;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/// How to reach a bucket.
///
/// @param endpoint of the server; null: that of AWS for the region
/// @param credentials null: those that the AWS SDK finds by itself, such as the role of the machine
/// @param pathStyle whether the bucket is named in the path and not in the host
/// @param checksums whether every request carries a checksum; older servers know none
public record S3Settings(
        String bucket,
        String region,
        @Nullable URI endpoint,
        @Nullable Credentials credentials,
        boolean pathStyle,
        boolean checksums) {

    /// An access key and its secret.
    public record Credentials(String id, Secret secret) {}
}
