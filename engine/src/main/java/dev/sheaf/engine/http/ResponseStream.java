package dev.sheaf.engine.http;

import dev.sheaf.engine.blob.FileSink;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/// The body of an answer. Collects small writes, splits large ones, and waits while the client is slow. A body that
/// fits into the buffer is sent as a whole, with its length. Bound to its request's thread.
public final class ResponseStream extends OutputStream implements FileSink {
    private static final int FIRST = 512;
    private static final int SIZE = 16 << 10;
    private static final int PIECE = 64 << 10;
    private static final byte[] NONE = {};

    private final HttpExchange exchange;
    private final Runnable atItsEnd;
    private final boolean known;
    private long left;
    private byte[] buffer = NONE;
    private int length;
    private boolean over;

    ResponseStream(HttpExchange exchange, long length, Runnable atItsEnd) {
        this.exchange = exchange;
        this.known = length >= 0;
        this.left = length;
        this.atItsEnd = atItsEnd;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        if (count > SIZE - length) {
            drain(); // before these bytes count, because they may be the last ones
        }
        take(count);
        if (count >= SIZE) {
            for (int done = 0; done < count; ) {
                int piece = Math.min(count - done, piece());
                done += piece;
                send(bytes, offset + done - piece, piece, known && left == 0 && done == count);
            }
            return;
        }
        if (count > buffer.length - length) {
            int more = Math.max(FIRST, 4 * Integer.highestOneBit(length + count));
            buffer = Arrays.copyOf(buffer, Math.min(SIZE, more));
        }
        System.arraycopy(bytes, offset, buffer, length, count);
        length += count;
    }

    private void take(long count) {
        if (known && count > left) {
            throw new IllegalStateException("the content is longer than its length");
        }
        left -= known ? count : 0;
    }

    /// Fails if bytes of a known length are missing: the client would take the next answer for them.
    public void requireEnd() {
        if (left > 0) {
            throw new IllegalStateException(left + " bytes of the content are missing");
        }
    }

    private void drain() {
        if (length > 0) {
            int count = length;
            length = 0;
            send(buffer, 0, count, known && left == 0);
        }
    }

    private int piece() {
        return Math.min(Math.min(PIECE, HttpExchange.mostQueued()), exchange.piece());
    }

    private void send(byte[] bytes, int offset, int count, boolean last) {
        if (last) {
            end();
        }
        exchange.send(bytes, offset, count, last);
        over |= last;
    }

    /// What runs before the last bytes must find that all others were sent.
    private void end() {
        exchange.awaitSent();
        atItsEnd.run();
    }

    @Override
    public void send(FileChannel file, long offset, long count) throws IOException {
        if (!known || exchange.isSecure()) {
            copy(file, offset, count);
            return;
        }
        drain();
        take(count);
        long last = left == 0 ? Math.min(piece(), count) : 0;
        if (count > last) {
            exchange.send(file, offset, count - last, false);
        }
        if (last > 0) {
            end();
            exchange.send(file, offset + count - last, last, true);
            over = true;
        }
    }

    private void copy(FileChannel file, long offset, long count) throws IOException {
        drain();
        for (long done = 0; done < count; ) {
            int piece = (int) Math.min(piece(), count - done);
            take(piece);
            boolean last = known && left == 0;
            if (last) {
                end();
            }
            exchange.sendCopy(file, offset + done, piece, last);
            over |= last;
            done += piece;
        }
    }

    @Override
    public void flush() {
        drain();
        exchange.awaitSent();
    }

    /// Releases the buffer between the parts of a live answer.
    public void rest() {
        if (length == 0) {
            buffer = NONE;
        }
    }

    /// Sends the end, and waits until everything was sent.
    @Override
    public void close() {
        if (over) {
            exchange.awaitSent();
            return;
        }
        over = true;
        if (!exchange.hasBegun() && !known) {
            exchange.send(Arrays.copyOf(buffer, length), true);
            return;
        }
        int count = length;
        length = 0;
        if (known) {
            end();
        }
        exchange.send(buffer, 0, count, true);
        exchange.awaitSent();
    }
}
