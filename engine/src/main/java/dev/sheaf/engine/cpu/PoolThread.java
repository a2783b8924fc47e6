package dev.sheaf.engine.cpu;

/// A thread of a pool.
final class PoolThread extends Thread {
    /// Whether its work may wait for the database or a bucket.
    final boolean waits;

    PoolThread(Runnable work, String name, boolean waits) {
        super(work, name);
        this.waits = waits;
        setDaemon(true);
    }
}
