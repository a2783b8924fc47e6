package dev.sheaf.server.blob;

import dev.sheaf.server.cpu.Carriers;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/// Keeps bulk transfers from starving small requests and from filling the memory. Only as many transfers as there are
/// processors move a buffer at the same time, so carriers are left for small requests ([Carriers]), and each yields
/// after every buffer. A transfer waits at most [#PATIENCE] for its turn and then moves its buffer without one.
/// Thread-safe.
public final class BulkLane {
    /// Bytes of a large buffer: the most that the JDK writes to a socket in one call.
    static final int LARGE = 128 << 10;

    /// Bytes of a small buffer: the most that Helidon reads from a socket in one call.
    static final int SMALL = 8 << 10;

    /// Limit of large buffers in use: 8 MiB in total. A thousand transfers use about 16 MiB together.
    static final int LARGE_AT_ONCE = 64;

    private static final Duration PATIENCE = Duration.ofMillis(50);
    private static final int LONG = 1 << 20; // bytes after which a transfer counts as one of bulk

    private final Places places;
    private final Semaphore large = new Semaphore(LARGE_AT_ONCE);
    private final Queue<byte[]> idle = new ConcurrentLinkedQueue<>();

    /// Creates the lane that all transfers of a node share.
    public BulkLane() {
        this(Runtime.getRuntime().availableProcessors());
    }

    public BulkLane(int places) {
        this.places = new Places(places, PATIENCE);
    }

    /// A piece of a transfer.
    public interface Step {
        /// Moves one buffer. Returns the number of bytes, or -1 at the end.
        int move() throws IOException;
    }

    int run(Step step) throws IOException {
        int place = take();
        try {
            return step.move();
        } finally {
            places.leave(place);
            Thread.yield();
        }
    }

    private int take() {
        try {
            return places.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Places.NONE;
        }
    }

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
        private long moved;

        private Buffer(byte[] bytes) {
            this.bytes = bytes;
        }

        public byte[] bytes() {
            return bytes;
        }

        /// Runs a step of the transfer when it is its turn.
        public int run(Step step) throws IOException {
            int count = BulkLane.this.run(step);
            moved += count;
            if (moved >= LONG) {
                Carriers.moving();
            }
            return count;
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
