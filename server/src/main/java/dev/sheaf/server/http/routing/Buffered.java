package dev.sheaf.server.http.routing;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/// Collects small writes. Its buffer grows with them. Closing it does not flush the underlying stream, so that
/// Helidon can send a short answer as a whole, with its length. Bound to its thread.
final class Buffered extends FilterOutputStream {
    private static final int FIRST = 512;
    private static final int SIZE = 16 << 10;
    private static final byte[] NONE = {};

    private byte[] buffer = NONE;
    private int length;
    private boolean begun;

    Buffered(OutputStream out) {
        super(out);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        if (count > SIZE - length) {
            drain();
        }
        if (count >= SIZE) {
            begun = true;
            out.write(bytes, offset, count);
            return;
        }
        if (count > buffer.length - length) {
            int more = Math.max(FIRST, 4 * Integer.highestOneBit(length + count));
            buffer = Arrays.copyOf(buffer, Math.min(SIZE, more));
        }
        System.arraycopy(bytes, offset, buffer, length, count);
        length += count;
    }

    /// Returns whether anything went, or was to go, to the underlying stream.
    boolean hasBegun() {
        return begun;
    }

    private void drain() throws IOException {
        if (length > 0) {
            begun = true;
            out.write(buffer, 0, length);
            length = 0;
        }
    }

    @Override
    public void flush() throws IOException {
        drain();
        out.flush();
    }

    @Override
    public void close() throws IOException {
        drain();
        out.close();
    }
}
