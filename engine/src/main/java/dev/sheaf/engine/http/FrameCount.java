package dev.sheaf.engine.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends a connection of HTTP/2 that sends too many frames without content: settings, pings, priorities, window updates
/// and unknown frames (RFC 9113, section 4.1). Netty limits resets, empty data and headers, but not these. Bound to its
/// loop's thread.
final class FrameCount extends ChannelDuplexHandler {
    static final long BURST = 1_000;
    static final long EACH_SECOND = 100;
    private static final Logger LOG = LoggerFactory.getLogger(FrameCount.class);
    private static final long BYTES_FOR_ONE = 4 << 10; // bytes sent per window update
    private static final long FOR_A_STREAM = 4;
    private static final int PREFACE = 24;
    private static final int HEAD = 9;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int CONTINUATION = 9;

    private final LongSupplier nanos;
    private final byte[] head = new byte[HEAD];
    private int headLength;
    private long skip = PREFACE;
    private long credit = BURST;
    private long lastRefill;
    private long written;
    private boolean over;

    FrameCount(LongSupplier nanos) {
        this.nanos = nanos;
        this.lastRefill = nanos.getAsLong();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf bytes) {
            written += bytes.readableBytes();
        }
        context.write(message, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof ByteBuf bytes && (over || count(bytes))) {
            bytes.release();
            if (!over) {
                over = true;
                LOG.debug("{}: closed, because it sends too many frames without content", context.channel());
                context.close();
            }
            return;
        }
        context.fireChannelRead(message);
    }

    /// Returns whether there are too many frames.
    private boolean count(ByteBuf bytes) {
        for (int i = bytes.readerIndex(); i < bytes.writerIndex(); ) {
            if (skip > 0) {
                int skipped = (int) Math.min(skip, bytes.writerIndex() - i);
                skip -= skipped;
                i += skipped;
            } else {
                head[headLength++] = bytes.getByte(i++);
                if (headLength == HEAD) {
                    headLength = 0;
                    skip = (head[0] & 0xff) << 16 | (head[1] & 0xff) << 8 | head[2] & 0xff;
                    if (isTooMuch(head[3])) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean isTooMuch(int type) {
        switch (type) {
            case HEADERS -> credit = Math.min(BURST, credit + FOR_A_STREAM);
            case DATA, CONTINUATION -> {
                // counted by Netty
            }
            default -> {
                if (credit == 0) {
                    refill();
                }
                return credit-- == 0;
            }
        }
        return false;
    }

    private void refill() {
        long now = nanos.getAsLong();
        long forTime = (now - lastRefill) * EACH_SECOND / TimeUnit.SECONDS.toNanos(1);
        if (forTime > 0) {
            lastRefill = now;
        }
        long forBytes = written / BYTES_FOR_ONE;
        written -= forBytes * BYTES_FOR_ONE;
        credit = Math.min(BURST, forTime + forBytes);
    }
}
