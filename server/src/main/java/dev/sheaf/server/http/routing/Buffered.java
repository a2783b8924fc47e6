package dev.sheaf.server.http.routing;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/// Collects small writes. It has no buffer before the first of them, and its end is no flush: Helidon sends what is
/// all of an answer with its length. Bound to its thread.
final class Buffered extends FilterOutputStream {
    private static final int SIZE = 16 << 10;
    private static final byte[] NONE = {};

    private byte[] buffer = NONE;
    private int length;

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
            out.write(bytes, offset, count);
            return;
        }
        if (buffer.length == 0) {
            buffer = new byte[SIZE];
        }
        System.arraycopy(bytes, offset, buffer, length, count);
        length += count;
    }

    private void drain() throws IOException {
        if (length > 0) {
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
