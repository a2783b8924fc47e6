package dev.sheaf.server.http;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A request's body, and the memory that the request takes. Bound to its thread.
final class Payload {
    private static final int FREE_BYTES = 64 << 10; // bodies up to this size do not count against the budget
    private static final int PIECE = 1 << 20;
    private static final long LINGER_BYTES = 8 << 20;
    private static final Duration LINGER = Duration.ofSeconds(2);

    private final ServerRequest request;
    private final MemoryBudget budget;
    private final Watch.Work work;
    private long borrowed;
    private byte @Nullable [] kept;
    private @Nullable Body body;

    Payload(ServerRequest request, MemoryBudget budget, Watch.Work work) {
        this.request = request;
        this.budget = budget;
        this.work = work;
    }

    InputStream stream() {
        if (kept != null) {
            return new ByteArrayInputStream(kept);
        }
        if (!request.content().hasEntity()) {
            return InputStream.nullInputStream();
        }
        body = new Body(request.content().inputStream(), work);
        return body;
    }

    /// Whether the client sends, or may send, more than was read.
    boolean isUnread() {
        return kept == null && request.content().hasEntity() && (body == null || !body.hasEnded());
    }

    /// Whether it waits for a word before it sends, and got none.
    boolean isHeldBack() {
        return body == null && request.headers().contains(HeaderNames.EXPECT);
    }

    /// Reads on what still comes of a body that was not wanted, within bounds, before its connection is closed: a
    /// connection that is closed on unread bytes is reset, and the client may lose the answer (RFC 9112, section
    /// 9.6).
    void linger() {
        if (isHeldBack()) {
            return;
        }
        long end = System.nanoTime() + LINGER.toNanos();
        var rest = new byte[8 << 10];
        try {
            var in = body == null ? stream() : body;
            for (long read = 0; read < LINGER_BYTES && System.nanoTime() < end; ) {
                int more = in instanceof Body sent && sent.hasEnded() ? -1 : in.read(rest);
                if (more < 0) {
                    break;
                }
                read += more;
            }
        } catch (IOException | ProblemException e) {
            // the client is gone, or sends what is no body
        }
        if (work.wire() instanceof Http1Bytes wire && wire.isOver()) {
            work.discard(LINGER_BYTES, LINGER);
        }
    }

    /// @throws dev.sheaf.model.ProblemException payload-too-large, rate-limited
    byte[] whole(String what, long limit) {
        byte[] whole = kept;
        if (whole == null) {
            return read(what, limit);
        }
        if (whole.length > limit) {
            throw new Problem.PayloadTooLarge(what, limit).raise();
        }
        return whole;
    }

    /// The whole body, which can be read again.
    byte[] keep(String what, long limit) {
        byte[] whole = read(what, limit);
        kept = whole;
        return whole;
    }

    private byte[] read(String what, long limit) {
        long announced = request.headers().contentLength().orElse(-1);
        if (announced > limit) {
            throw new Problem.PayloadTooLarge(what, limit).raise();
        }
        try (InputStream in = stream()) {
            if (announced < 0) {
                return pieces(in, what, limit);
            }
            borrow(announced);
            return in.readNBytes((int) announced);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A body of unknown length, counted against the budget as it comes.
    private byte[] pieces(InputStream in, String what, long limit) throws IOException {
        var whole = new ByteArrayOutputStream();
        byte[] piece;
        do {
            borrow(PIECE);
            piece = in.readNBytes(PIECE);
            whole.write(piece);
            if (whole.size() > limit) {
                throw new Problem.PayloadTooLarge(what, limit).raise();
            }
        } while (piece.length == PIECE);
        return whole.toByteArray();
    }

    /// Counts bytes that the request holds in memory until [#close].
    void borrow(long bytes) {
        if (bytes > FREE_BYTES) {
            budget.take(bytes);
            borrowed += bytes;
        }
    }

    void close() {
        budget.giveBack(borrowed);
        borrowed = 0;
    }
}
