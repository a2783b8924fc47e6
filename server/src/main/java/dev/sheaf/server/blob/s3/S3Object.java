package dev.sheaf.server.blob.s3;

import dev.sheaf.model.ProblemException;
import dev.sheaf.server.blob.BulkLane;
import dev.sheaf.server.blob.StoredObject;
import dev.sheaf.server.blob.s3.S3Bucket.GoneException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;

/// An object in a bucket, read in pieces.
record S3Object(S3Bucket bucket, String object, long length, BulkLane lane) implements StoredObject {
    private static final Logger LOG = LoggerFactory.getLogger(S3Object.class);
    private static final int ATTEMPTS = 3;

    /// Writes the object. If a connection breaks, another one continues at the same position.
    @Override
    public void writeTo(OutputStream out, long offset, long count) throws IOException {
        long position = offset;
        int failures = 0;
        while (position < offset + count) {
            long moved = copy(out, position, offset + count - position);
            position += moved;
            failures = moved > 0 ? 0 : failures + 1;
            if (failures == ATTEMPTS) {
                throw new EOFException(object + " cannot be read from byte " + position + " on");
            }
        }
    }

    private long copy(OutputStream out, long from, long count) throws IOException {
        try (var in = bucket.get(object, from, count);
                var held = lane.buffer(count)) {
            byte[] buffer = held.bytes();
            long left = count;
            boolean whole = false;
            try {
                while (left > 0) {
                    int most = (int) Math.min(buffer.length, left);
                    int moved = held.run(() -> {
                        int read = read(in, buffer, most);
                        if (read > 0) {
                            out.write(buffer, 0, read);
                        }
                        return read;
                    });
                    if (moved < 0) {
                        return count - left;
                    }
                    left -= moved;
                }
                whole = true;
                return count;
            } finally {
                if (!whole) {
                    in.abort(); // closing would first read the rest
                }
            }
        } catch (GoneException | ProblemException e) {
            throw new IOException("the bucket does not return the object " + object, e);
        }
    }

    private int read(InputStream in, byte[] buffer, int most) {
        try {
            int read = in.read(buffer, 0, most);
            bucket.calls().read(read);
            return read;
        } catch (IOException | SdkException e) {
            LOG.warn("reading from the bucket broke off", e);
            return -1;
        }
    }
}
