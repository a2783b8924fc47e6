package dev.sheaf.server.http.wire;

import io.helidon.webserver.CloseConnectionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Checks HTTP/2 frames as they arrive (RFC 9113, section 4.1), and ends a connection that sends too many
/// frames without content. The HTTP library limits the bytes of headers, resets, and empty data frames, but not
/// the number of headers, their frames, or other frames. Bound to its connection's thread, except for [#wrote].
public final class FrameGuard implements Supplier<byte @Nullable []> {
    static final int MAX_CONTINUATIONS = 16; // per block of headers
    static final long BURST = 1_000; // frames that carry nothing
    static final long EACH_SECOND = 100;
    private static final long BYTES_FOR_ONE = 4 << 10; // bytes read per window update
    private static final long FOR_A_STREAM = 4;

    private static final int PREFACE = 24;
    private static final int HEAD = 9;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int CONTINUATION = 9;
    private static final int END_STREAM = 1;

    private final Supplier<byte @Nullable []> wire;
    private final LongSupplier nanos;
    private final IntConsumer reset;
    private final AtomicLong written = new AtomicLong();
    private final int[] head = new int[HEAD];
    private int headLength;
    private long skip = PREFACE;
    private final HeaderBlock headers = new HeaderBlock();
    private boolean inHeaders;
    private int continuations;
    private long credit = BURST;
    private long lastRefill;

    /// @param wire returns the next bytes, at least one; null at the end
    /// @param reset receives the streams that the client resets
    public FrameGuard(Supplier<byte @Nullable []> wire, LongSupplier nanos, IntConsumer reset) {
        this.wire = wire;
        this.nanos = nanos;
        this.reset = reset;
        this.lastRefill = nanos.getAsLong();
    }

    /// Records that bytes were sent, for which the client must send window updates.
    public void wrote(int bytes) {
        written.addAndGet(bytes);
    }

    @Override
    public byte @Nullable [] get() {
        byte[] piece = wire.get();
        for (int i = 0; piece != null && i < piece.length; ) {
            if (skip > 0) {
                int skipped = (int) Math.min(skip, piece.length - i);
                if (inHeaders) {
                    headers.take(piece, i, i + skipped);
                }
                skip -= skipped;
                i += skipped;
            } else {
                head[headLength++] = piece[i++] & 0xff;
                if (headLength == HEAD) {
                    headLength = 0;
                    frame(head[0] << 16 | head[1] << 8 | head[2], head[3], head[4]);
                }
            }
        }
        return piece;
    }

    private void frame(int length, int type, int flags) {
        skip = length;
        inHeaders = type == HEADERS || type == CONTINUATION;
        switch (type) {
            case HEADERS -> {
                headers.begin(length, flags);
                continuations = 0;
                credit = Math.min(BURST, credit + FOR_A_STREAM);
            }
            case CONTINUATION -> {
                if (++continuations > MAX_CONTINUATIONS) {
                    throw new CloseConnectionException("too many frames of headers");
                }
                headers.goOn(length);
            }
            case DATA -> {
                if (length == 0 && (flags & END_STREAM) == 0) {
                    spend();
                }
            }
            case RST_STREAM -> {
                spend();
                reset.accept((head[5] & 0x7f) << 24 | head[6] << 16 | head[7] << 8 | head[8]);
            }
            default -> spend();
        }
    }

    private void spend() {
        if (credit == 0) {
            refill();
        }
        if (credit == 0) {
            throw new CloseConnectionException("too many frames without content");
        }
        credit--;
    }

    private void refill() {
        long now = nanos.getAsLong();
        long forTime = (now - lastRefill) * EACH_SECOND / TimeUnit.SECONDS.toNanos(1);
        if (forTime > 0) {
            lastRefill = now;
        }
        long bytes = written.get();
        long forBytes = bytes / BYTES_FOR_ONE;
        written.addAndGet(-forBytes * BYTES_FOR_ONE);
        credit = Math.min(BURST, forTime + forBytes);
    }
}
