package dev.sheaf.engine.http;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;

/// The size of the buffer of the next read: small for heads. For the bytes of bodies it doubles as long as reads fill
/// it, because bytes that nobody has taken yet hold their whole buffer. Bound to its loop's thread.
@SuppressWarnings("deprecation") // the handle of Netty's own classes
final class ReceiveSize extends DefaultMaxMessagesRecvByteBufAllocator {
    private static final int HEAD = 2 << 10;
    private static final int SMALL = 16 << 10;

    private final int least;
    private int filled = SMALL; // what reads of bodies fill
    private int next;

    /// @param encrypted whether records of TLS are read, which have up to 16 KiB
    ReceiveSize(boolean encrypted) {
        this.least = encrypted ? SMALL + 1024 : HEAD;
        this.next = least;
    }

    /// @param left the bytes of a body that are still to come; 0 for a head
    void expect(long left) {
        next = Math.clamp(Math.min(left, RequestBody.most() / 2), least, RequestDecoder.PIECE);
    }

    @Override
    public RecvByteBufAllocator.Handle newHandle() {
        return new MaxMessageHandle() {
            @Override
            public int guess() {
                return Math.min(next, Math.max(least, filled));
            }

            @Override
            public void lastBytesRead(int bytes) {
                super.lastBytesRead(bytes);
                if (bytes == attemptedBytesRead() && bytes >= filled) {
                    filled = Math.min(2 * filled, RequestDecoder.PIECE);
                } else if (bytes < filled / 2 && next > least) {
                    filled = Math.max(filled / 2, SMALL);
                }
            }
        };
    }
}
