package dev.sheaf.engine.blob.s3;

import dev.sheaf.engine.blob.s3.S3Bucket.GoneException;
import dev.sheaf.model.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import software.amazon.awssdk.core.exception.SdkException;

/// Reads an object in pieces. If a connection breaks, another one continues at the same position. It ends when no byte
/// came for the limit, all attempts together: a bucket that is silent would be silent in each of them.
/// The time in which the reader takes a piece does not count. Bound to its thread.
final class S3Reading {
    private static final int ATTEMPTS = 3;

    private final S3Object from;
    private final S3Bucket bucket;
    private final OutputStream out;
    private final long begin;
    private final long end;
    private long position;
    private long waitingSince = System.nanoTime();

    /// @param count how many bytes from `offset` on
    S3Reading(S3Object from, OutputStream out, long offset, long count) {
        this.from = from;
        this.bucket = from.bucket();
        this.out = out;
        this.begin = offset;
        this.position = offset;
        this.end = offset + count;
    }

    void run() throws IOException {
        int failures = 0;
        while (position < end) {
            long before = position;
            copy();
            failures = position > before ? 0 : failures + 1;
            if (position < end && (failures == ATTEMPTS || isHopeless())) {
                String what = from.object() + " cannot be read from byte " + position + " on";
                throw new IOException(what, S3Bucket.unavailable()); // the log has a line about it
            }
        }
    }

    /// Returns whether another attempt would only wait.
    private boolean isHopeless() {
        return !left().isPositive() || bucket.calls().isRefusing();
    }

    private Duration left() {
        var limit =
                position == begin ? bucket.limits().toBegin() : bucket.limits().silence();
        return limit.minusNanos(System.nanoTime() - waitingSince);
    }

    /// Copies bytes until the end, or until the connection breaks.
    private void copy() throws IOException {
        try (var in = bucket.get(from.object(), position, end - position, atLeast(left()));
                var held = from.buffers().buffer(end - position)) {
            byte[] buffer = held.bytes();
            try {
                while (position < end) {
                    int most = (int) Math.min(buffer.length, end - position);
                    int moved = read(in, buffer, most);
                    if (moved < 0) {
                        return;
                    }
                    out.write(buffer, 0, moved);
                    position += moved;
                    waitingSince = System.nanoTime();
                }
            } finally {
                if (position < end) {
                    in.abort(); // closing would first read the rest
                }
            }
        } catch (GoneException | ProblemException e) {
            throw new IOException("the bucket does not return the object " + from.object(), e);
        }
    }

    /// Returns a limit that the library accepts.
    private static Duration atLeast(Duration left) {
        return left.isPositive() ? left : Duration.ofMillis(1);
    }

    private int read(InputStream in, byte[] buffer, int most) {
        try {
            int read = in.read(buffer, 0, most);
            bucket.calls().read(read);
            return read;
        } catch (IOException | SdkException e) {
            bucket.calls().brokeOff(from.object(), e);
            return -1;
        }
    }
}
