package dev.sheaf.server.blob;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Keeps bulk transfers from starving small requests: only so many move a buffer at one time, and each gives way
/// after every buffer. A transfer that waits on a slow peer holds its place for no more than [#PATIENCE_MILLIS] of
/// the others' time: they then go on without one.
public final class BulkLane {
    private static final int PATIENCE_MILLIS = 20;
    private final Semaphore places;

    public BulkLane(int places) {
        this.places = new Semaphore(places, true);
    }

    /// A piece of a transfer.
    interface Step {
        /// Moves one buffer; returns how many bytes it held, or -1 at the end.
        int move() throws IOException;
    }

    int run(Step step) throws IOException {
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
}
