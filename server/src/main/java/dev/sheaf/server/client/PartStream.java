package dev.sheaf.server.client;

import java.io.IOException;
import java.io.OutputStream;

/// Passes on a part of what is written, and stops the writer after it.
final class PartStream extends OutputStream {
    private final OutputStream out;
    private long skip;
    private long left;

    PartStream(OutputStream out, long skip, long count) {
        this.out = out;
        this.skip = skip;
        this.left = count;
    }

    /// Thrown when the part is complete.
    static final class DoneException extends IOException {
        private static final long serialVersionUID = 1;

        private DoneException() {
            super("the part is complete");
        }
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        int skipped = (int) Math.min(skip, count);
        skip -= skipped;
        int passed = (int) Math.min(left, count - skipped);
        out.write(bytes, offset + skipped, passed);
        left -= passed;
        if (left == 0) {
            throw new DoneException();
        }
    }
}
