package dev.sheaf.server.blob;

import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Keeps bulk transfers from starving small requests, and from filling the memory: only so many move a buffer at
/// one time, and each gives way after every buffer. A transfer that waits on a slow peer holds its place for no
/// more than [#PATIENCE_MILLIS] of the others' time: they then go on without one. Thread-safe.
public final class BulkLane {
    /// Bytes of a large buffer: what the JDK writes to a socket at one time.
    static final int LARGE = 128 << 10;

    /// Bytes of a small buffer: what Helidon reads from a socket at one time.
    static final int SMALL = 8 << 10;

    /// How many transfers have a large buffer at one time: 8 MiB in all. A thousand at once have 16 MiB together.
    static final int LARGE_AT_ONCE = 64;

    private static final int PLACES = 8;
    private static final int PATIENCE_MILLIS = 20;
    private final Semaphore places;
    private final Semaphore large = new Semaphore(LARGE_AT_ONCE);
    private final Queue<byte[]> idle = new ConcurrentLinkedQueue<>();

    /// For all transfers of a node.
    public BulkLane() {
        this(PLACES);
    }

    public BulkLane(int places) {
        this.places = new Semaphore(places, true);
    }

    /// A piece of a transfer.
    public interface Step {
        /// Moves one buffer; returns how many bytes it held, or -1 at the end.
        int move() throws IOException;
    }

    public int run(Step step) throws IOException {
        boolean placed = take();
        try {
            return step.move();
        } finally {
            if (placed) {
                places.release();
            }
            Thread.yield();
        }
    }

    private boolean take() {
        try {
            return places.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// A buffer for one transfer of `count` bytes: a large one, unless the transfer is short or many have one
    /// already.
    public Buffer buffer(long count) {
        if (count <= SMALL || !large.tryAcquire()) {
            return new Buffer(new byte[SMALL]);
        }
        byte[] kept = idle.poll();
        return new Buffer(kept == null ? new byte[LARGE] : kept);
    }

    /// A transfer's own until it is closed, which must happen once.
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
