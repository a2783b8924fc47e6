package dev.sheaf.server.http.wire;

import dev.sheaf.model.Problem;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Passes the bytes of an HTTP/1 connection to the HTTP library: each head checked and converted to HTTP/1.1,
/// followed by exactly its body. Chunks are parsed strictly and passed on in small pieces without trailers. The
/// library would read chunks of any size, and chunk lines of any length, into memory. Bound to its connection's
/// thread.
public final class Http1Bytes implements Supplier<byte @Nullable []> {
    private static final int CHUNK = 16 << 10;
    /// The buffer for the first bytes of a head, which an idle connection holds. Most heads are shorter.
    private static final int FIRST = 1 << 10;
    private static final int PIECE = 8 << 10;
    private static final int MAX_LINE = 1 << 10; // limit of a chunk's size line with extensions
    private static final int MAX_TRAILERS = 8 << 10;
    private static final int MAX_SIZE_DIGITS = 15;
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] NONE = {};

    /// Thrown if the chunks of a body are malformed.
    public static final class MalformedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        MalformedException(String message) {
            super(message);
        }
    }

    private enum State {
        HEAD,
        CONTENT,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILERS,
        OVER
    }

    private final Wire wire;
    private final String local;
    private byte[] piece = NONE;
    private int position;
    private long left;
    private State state = State.HEAD;
    private boolean old;
    private @Nullable Problem refusal;
    private @Nullable String method;

    /// The source of the bytes.
    public interface Wire {
        /// Returns the next bytes, at least one and at most `most`; null at the end.
        byte @Nullable [] next(int most);
    }

    /// @param local the local address of the connection
    public Http1Bytes(Wire wire, String local) {
        this.wire = wire;
        this.local = local;
    }

    /// Returns why the last request is refused; null if it is not.
    @Nullable
    public Problem refusal() {
        return refusal;
    }

    /// Returns the method of the last request if the library must not see it; otherwise null.
    @Nullable
    public String method() {
        return method;
    }

    /// Returns whether the last request used HTTP/1.0.
    public boolean isOld() {
        return old;
    }

    /// Returns whether no further requests are read. Unread bytes may still arrive.
    public boolean isOver() {
        return state == State.OVER;
    }

    @Override
    public byte @Nullable [] get() {
        return switch (state) {
            case HEAD -> head();
            case CONTENT -> content();
            case CHUNK_SIZE, CHUNK, CHUNK_END, TRAILERS -> chunk();
            case OVER -> null;
        };
    }

    private boolean pull() {
        return pull(state == State.CONTENT || state == State.CHUNK ? Math.clamp(left, FIRST, CHUNK) : PIECE);
    }

    private boolean pull(int most) {
        piece = NONE; // releases the buffer during the wait
        position = 0;
        byte[] next = wire.next(most);
        if (next == null) {
            state = State.OVER;
            return false;
        }
        piece = next;
        return true;
    }

    /// Returns whether the client has closed the connection. Keeps bytes of a next request for later. Call it
    /// between a body and its answer, with a short read timeout.
    public boolean hasEnded() {
        return position == piece.length && !pull(FIRST);
    }

    private byte @Nullable [] head() {
        if (position == piece.length && !pull(FIRST)) {
            return null;
        }
        var head = new Http1Head();
        while (!head.isComplete() && head.fault() == null) {
            if (position == piece.length && !pull()) {
                return null;
            }
            position = head.take(piece, position, piece.length);
        }
        refusal = head.fault();
        method = null;
        if (refusal != null) {
            state = State.OVER;
            return head.substitute(local);
        }
        old = head.isOld();
        left = head.contentLength();
        state = head.isChunked() ? State.CHUNK_SIZE : left > 0 ? State.CONTENT : State.HEAD;
        return exact(head.normal(local));
    }

    /// Returns the head, with a marked method if it contains lower-case letters. The library would read `post`
    /// as `POST`, but methods are case-sensitive (RFC 9110, section 9.1).
    private byte[] exact(byte[] head) {
        int end = 0;
        boolean mistaken = false;
        for (; head[end] != ' '; end++) {
            mistaken |= head[end] >= 'a' && head[end] <= 'z';
        }
        if (!mistaken) {
            return head;
        }
        method = new String(head, 0, end, StandardCharsets.ISO_8859_1);
        byte[] marked = new byte[head.length + 1];
        marked[0] = '~';
        System.arraycopy(head, 0, marked, 1, head.length);
        return marked;
    }

    private byte @Nullable [] content() {
        if (position == piece.length && !pull()) {
            return null;
        }
        int taken = (int) Math.min(left, piece.length - position);
        left -= taken;
        if (left == 0) {
            state = State.HEAD;
        }
        return taken(taken);
    }

    private byte[] taken(int count) {
        byte[] part = piece;
        if (position > 0 || count < piece.length) {
            part = new byte[count];
            System.arraycopy(piece, position, part, 0, count);
        }
        position += count;
        return part;
    }

    private byte @Nullable [] chunk() {
        while (state != State.CHUNK) {
            switch (state) {
                case CHUNK_SIZE -> size();
                case CHUNK_END -> chunkEnd();
                case TRAILERS -> {
                    trailers();
                    return LAST_CHUNK;
                }
                default -> {
                    return null;
                }
            }
        }
        if (position == piece.length && !pull()) {
            return null;
        }
        int taken = (int) Math.min(Math.min(left, CHUNK), piece.length - position);
        left -= taken;
        if (left == 0) {
            state = State.CHUNK_END;
        }
        var out = new ByteArrayOutputStream(taken + 12);
        out.writeBytes((Integer.toHexString(taken) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        out.write(piece, position, taken);
        out.write('\r');
        out.write('\n');
        position += taken;
        return out.toByteArray();
    }

    private void size() {
        String line = line(MAX_LINE);
        int end = line.indexOf(';');
        String digits = (end < 0 ? line : line.substring(0, end)).stripTrailing();
        if (digits.isEmpty()
                || digits.length() > MAX_SIZE_DIGITS
                || !digits.chars().allMatch(Http1Bytes::isHex)) {
            throw malformed("a chunk begins without its size");
        }
        left = Long.parseLong(digits, 16);
        state = left == 0 ? State.TRAILERS : State.CHUNK;
    }

    private static boolean isHex(int c) {
        return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
    }

    private void chunkEnd() {
        if (!line(2).isEmpty()) {
            throw malformed("a chunk is longer than its size");
        }
        state = State.CHUNK_SIZE;
    }

    /// Reads and drops trailers. No handler uses them, and a field after the body must not become a header.
    private void trailers() {
        int allowed = MAX_TRAILERS;
        for (String line = line(allowed); !line.isEmpty(); line = line(allowed)) {
            if (line.indexOf(':') < 1) {
                throw malformed("a trailer is not valid");
            }
            allowed -= line.length() + 2;
        }
        state = State.HEAD;
    }

    /// Returns a line, which must end within `limit` bytes.
    private String line(int limit) {
        var line = new StringBuilder();
        while (true) {
            if (position == piece.length && !pull()) {
                throw malformed("it ends too early");
            }
            char c = (char) (piece[position++] & 0xff);
            boolean ending = !line.isEmpty() && line.charAt(line.length() - 1) == '\r';
            if (c == '\n' && ending) {
                return line.substring(0, line.length() - 1);
            }
            if (ending || c < ' ' && c != '\t' && c != '\r' || line.length() >= limit) {
                throw malformed("one of its lines has no end or is too long");
            }
            line.append(c);
        }
    }

    private MalformedException malformed(String what) {
        state = State.OVER;
        return new MalformedException("the chunked body is malformed: " + what);
    }

    /// Reads and drops further bytes before the connection is closed.
    ///
    /// @param end the time at which to stop waiting, as in [System#nanoTime]
    public void discard(long bytes, long end) {
        for (long read = 0; read < bytes && System.nanoTime() < end && pullQuietly(); ) {
            read += piece.length;
        }
        state = State.OVER;
        piece = NONE;
        position = 0;
    }

    private boolean pullQuietly() {
        try {
            return pull();
        } catch (RuntimeException e) {
            return false; // the client sends no more bytes
        }
    }
}
