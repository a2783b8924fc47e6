package dev.sheaf.engine.blob.s3;

import dev.sheaf.model.key.Secret;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/// The connection to a bucket.
///
/// @param endpoint the server's endpoint; null for the endpoint of AWS in the region
/// @param credentials null to let the AWS SDK find them, such as the role of the machine
/// @param pathStyle whether the bucket is named in the path instead of the host
/// @param checksums whether every request carries a checksum; older servers do not support them
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
