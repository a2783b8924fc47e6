package dev.sheaf.engine.blob;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/// Buffers for the transfers of a node. Only a limited number of them is large, so that a thousand slow transfers do
/// not fill the memory. Thread-safe.
public final class TransferBuffers {
    static final int LARGE = 256 << 10;
    static final int SMALL = 8 << 10;

    /// Limit of large buffers in use: 8 MiB in total. A thousand transfers use about 16 MiB together.
    static final int LARGE_AT_ONCE = 32;

    private final Semaphore large = new Semaphore(LARGE_AT_ONCE);
    private final Queue<byte[]> idle = new ConcurrentLinkedQueue<>();

    /// Returns a buffer for a transfer of `count` bytes: a large one, unless the transfer is short or all large
    /// ones are in use.
    public Buffer buffer(long count) {
        if (count <= SMALL || !large.tryAcquire()) {
            return new Buffer(new byte[SMALL]);
        }
        byte[] kept = idle.poll();
        return new Buffer(kept == null ? new byte[LARGE] : kept);
    }

    /// A buffer that belongs to one transfer until it is closed. Must be closed exactly once.
    public final class Buffer implements AutoCloseable {
        private final byte[] bytes;

        private Buffer(byte[] bytes) {
            this.bytes = bytes;
        }

        public byte[] bytes() {
            return bytes;
        }

        @Override
        public void close() {
            if (bytes.length == LARGE) {
                idle.add(bytes);
                large.release();
            }
        }
    }
}
