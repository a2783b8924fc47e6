package dev.sheaf.engine.blob.s3;

import java.time.Duration;
import java.util.function.Consumer;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;

/// How long calls to a bucket may take, all attempts together.
///
/// @param silence how long a bucket may be silent before it counts as gone
record S3Limits(Duration silence) {
    /// As long as a GET may take.
    static final S3Limits USUAL = new S3Limits(Duration.ofSeconds(10));

    /// Some servers copy all parts before they answer to the completion of an upload.
    static final Duration COMPLETION = Duration.ofSeconds(60);

    /// A list may take longer, because only maintenance waits for it.
    static final Duration LIST = Duration.ofSeconds(60);

    /// The least pace at which a bucket must take content, in bytes a second: a part of 8 MiB has a minute.
    private static final long PACE = 160 << 10;

    /// Returns the limit of a read until its content begins: less than half, so that a proxy can ask another node
    /// within the time of one request.
    Duration toBegin() {
        return silence.multipliedBy(2).dividedBy(5);
    }

    /// Returns the limit of a call that sends content.
    Duration toSend(long bytes) {
        return silence.plusMillis(bytes * 1_000 / PACE);
    }

    /// Sets the limit of a call.
    static Consumer<AwsRequestOverrideConfiguration.Builder> within(Duration limit) {
        return call -> call.apiCallTimeout(limit);
    }
}
