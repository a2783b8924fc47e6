package dev.sheaf.server.http.wire;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/// Writes answers. HTTP/1.0 has no chunks, so a chunked answer to such a client is sent without chunk marks and
/// ends with the connection (RFC 9112, section 6.3). Bound to its connection's thread.
public final class Http10Writer implements DataWriter {
    private static final String CHUNKED = "transfer-encoding: chunked\r\n";

    private final DataWriter to;
    private final BooleanSupplier old;
    private final StringBuilder line = new StringBuilder();
    private State state = State.HEAD;
    private long left;

    private enum State {
        HEAD,
        PLAIN,
        SIZE,
        CONTENT,
        CONTENT_END,
        OVER
    }

    /// @param old whether the answer is for HTTP/1.0
    public Http10Writer(DataWriter to, BooleanSupplier old) {
        this.to = to;
        this.old = old;
    }

    private BufferData plain(BufferData buffer) {
        if (!old.getAsBoolean() || state == State.PLAIN) {
            return buffer;
        }
        var bytes = new byte[buffer.available()];
        buffer.read(bytes);
        var out = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; ) {
            i = step(bytes, i, out);
        }
        return BufferData.create(out.toByteArray());
    }

    /// @return the position of the first byte that is still to be processed
    private int step(byte[] bytes, int from, ByteArrayOutputStream out) {
        switch (state) {
            case HEAD, SIZE, CONTENT_END -> {
                line.append((char) (bytes[from] & 0xff));
                boolean ended = bytes[from] == '\n' && (state != State.HEAD || line.indexOf("\r\n\r\n") >= 0);
                if (ended) {
                    line(out);
                    line.setLength(0);
                }
                return from + 1;
            }
            case CONTENT -> {
                int count = (int) Math.min(left, bytes.length - from);
                out.write(bytes, from, count);
                left -= count;
                if (left == 0) {
                    state = State.CONTENT_END;
                }
                return from + count;
            }
            case PLAIN -> {
                out.write(bytes, from, bytes.length - from);
                return bytes.length;
            }
            case OVER -> {
                return bytes.length;
            }
        }
        throw new IllegalStateException(state.toString());
    }

    private void line(ByteArrayOutputStream out) {
        switch (state) {
            case HEAD -> {
                String head = line.toString();
                int chunked = head.toLowerCase(java.util.Locale.ROOT).indexOf("\r\n" + CHUNKED);
                state = chunked < 0 ? State.PLAIN : State.SIZE;
                String kept = chunked < 0
                        ? head
                        : head.substring(0, chunked + 2) + head.substring(chunked + 2 + CHUNKED.length());
                out.writeBytes(kept.getBytes(StandardCharsets.ISO_8859_1));
            }
            case SIZE -> {
                left = Long.parseLong(line.toString().strip(), 16);
                state = left == 0 ? State.OVER : State.CONTENT;
            }
            default -> state = State.SIZE;
        }
    }

    @Override
    public void write(BufferData... buffers) {
        for (BufferData buffer : buffers) {
            to.write(plain(buffer));
        }
    }

    @Override
    public void write(BufferData buffer) {
        to.write(plain(buffer));
    }

    @Override
    public void writeNow(BufferData... buffers) {
        for (BufferData buffer : buffers) {
            to.writeNow(plain(buffer));
        }
    }

    @Override
    public void writeNow(BufferData buffer) {
        to.writeNow(plain(buffer));
    }

    @Override
    public void flush() {
        to.flush();
    }

    @Override
    public void close() {
        to.close();
    }
}
