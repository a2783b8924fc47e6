package dev.sheaf.engine.heap;

/// How the heap is divided. What an idle node needs comes off first; caches, requests in progress and heavy work get
/// fixed parts of the rest. Short-lived objects and the collector need what remains.
///
/// @param heap the largest heap of the process, in bytes
public record HeapPlan(long heap) {
    /// The smallest heap on which the server starts, in bytes.
    public static final long SMALLEST = 64 << 20;

    /// The plan of this process.
    public static final HeapPlan OF_THIS_PROCESS =
            new HeapPlan(Runtime.getRuntime().maxMemory());

    private static final long TOLERANCE = 4 << 20; // some collectors report a little less than -Xmx
    private static final long BASE = 24 << 20; // live on an idle node once all its code has run
    private static final long BYTES_OF_CONNECTION = 128 << 10; // with TLS and the memory of a request
    private static final long BYTES_OF_WORK = 16 << 20; // the largest README while it is rendered

    /// Returns whether a server can run on this heap.
    public boolean isEnough() {
        return heap >= SMALLEST - TOLERANCE;
    }

    private long rest() {
        return Math.max(0, heap - BASE);
    }

    /// Returns the bytes of all caches together.
    public long caches() {
        return rest() / 4;
    }

    /// Returns the bytes that the bodies of requests, their processing and their answers may take together.
    public long requests() {
        return rest() / 4;
    }

    /// Returns the largest size that [#requests] may be set to, in bytes.
    public long mostForRequests() {
        return rest() / 2;
    }

    /// Returns how many pieces of heavy work may run at the same time; at least two, which take turns.
    public int heavyWork() {
        return (int) Math.max(2, Math.min(Integer.MAX_VALUE, rest() / 4 / BYTES_OF_WORK));
    }

    /// Returns how many connections may be open at the same time.
    public long connections() {
        return Math.max(1, heap / BYTES_OF_CONNECTION);
    }
}
