package dev.sheaf.engine.blob.s3;

import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/// Creates the clients of a bucket from its settings.
final class S3Clients {
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final int ATTEMPTS =
            3; // connections that the bucket has closed meanwhile may fail one after the other

    private S3Clients() {}

    /// @param silence the limit of a call, all attempts together; a call that may take longer sets its own
    static S3Client client(S3Settings settings, Duration silence) {
        var builder = S3Client.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECT)
                        .socketTimeout(silence))
                .overrideConfiguration(limits -> limits.apiCallTimeout(silence)
                        .retryStrategy(StandardRetryStrategy.builder()
                                .maxAttempts(ATTEMPTS)
                                .build()))
                .region(Region.of(settings.region()))
                .credentialsProvider(credentials(settings))
                .forcePathStyle(settings.pathStyle())
                .requestChecksumCalculation(
                        settings.checksums()
                                ? RequestChecksumCalculation.WHEN_SUPPORTED
                                : RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(
                        settings.checksums()
                                ? ResponseChecksumValidation.WHEN_SUPPORTED
                                : ResponseChecksumValidation.WHEN_REQUIRED);
        if (settings.endpoint() != null) {
            builder.endpointOverride(settings.endpoint());
        }
        return builder.build();
    }

    /// Returns a client for the completion of uploads.
    static S3Client patient(S3Settings settings) {
        return client(settings, S3Limits.COMPLETION);
    }

    /// Returns a presigner, which signs locally and sends no request.
    static S3Presigner presigner(S3Settings settings) {
        var builder = S3Presigner.builder()
                .region(Region.of(settings.region()))
                .credentialsProvider(credentials(settings))
                .serviceConfiguration(S3Configuration.builder()
                        .pathStyleAccessEnabled(settings.pathStyle())
                        .build());
        if (settings.endpoint() != null) {
            builder.endpointOverride(settings.endpoint());
        }
        return builder.build();
    }

    private static AwsCredentialsProvider credentials(S3Settings settings) {
        var given = settings.credentials();
        return given == null
                ? DefaultCredentialsProvider.builder().build()
                : StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(given.id(), given.secret().expose()));
    }
}
