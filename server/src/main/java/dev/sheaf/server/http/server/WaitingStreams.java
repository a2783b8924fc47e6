package dev.sheaf.server.http.server;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// The waiting requests of an HTTP/2 connection, by stream. A stream that the client has reset no longer counts
/// against the limit of streams. But the library would let its request wait and write until the connection
/// ends, so this class interrupts it. Thread-safe.
final class WaitingStreams {
    /// The limit of remembered resets of streams whose requests do not wait.
    private static final int REMEMBERED = 1_000;

    private final Map<Integer, Thread> waiting = new HashMap<>();
    private final Set<Integer> reset = new LinkedHashSet<>();

    /// Waits on behalf of a request. The wait is interrupted if the stream is reset.
    ///
    /// @return false if the stream was reset
    boolean await(int stream, Runnable wait) {
        if (!begin(stream)) {
            return false;
        }
        try {
            wait.run();
        } finally {
            end(stream);
        }
        return !ended(stream);
    }

    private synchronized boolean begin(int stream) {
        return !reset.contains(stream) && waiting.putIfAbsent(stream, Thread.currentThread()) == null;
    }

    private synchronized void end(int stream) {
        waiting.remove(stream);
    }

    /// Returns whether the stream was reset. Clears the interrupt, which was only for the wait: otherwise the
    /// next write would close the connection of all streams.
    private synchronized boolean ended(int stream) {
        boolean is = reset.contains(stream);
        if (is) {
            Thread.interrupted();
        }
        return is;
    }

    synchronized void reset(int stream) {
        if (reset.size() == REMEMBERED) {
            reset.remove(reset.iterator().next());
        }
        reset.add(stream);
        var its = waiting.get(stream);
        if (its != null) {
            its.interrupt();
        }
    }

    /// Removes a request that is over.
    synchronized void forget(int stream) {
        reset.remove(stream);
    }
}
