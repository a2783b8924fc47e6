package dev.sheaf.server.http.server;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// The requests of one connection of HTTP/2 that wait, by their streams. A stream that the client resets counts no
/// longer against the limit of streams, while the library lets its request wait, and write, for as long as the
/// connection is open. Thread-safe.
final class WaitingStreams {
    /// So many resets are remembered whose requests do not wait, or not yet.
    private static final int REMEMBERED = 1_000;

    private final Map<Integer, Thread> waiting = new HashMap<>();
    private final Set<Integer> reset = new LinkedHashSet<>();

    /// Waits for a request, and no longer than until its stream is reset.
    ///
    /// @return false where it is
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

    /// The interrupt was for the wait alone: with it the next write would close the connection of all streams.
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

    /// A request is over.
    synchronized void forget(int stream) {
        reset.remove(stream);
    }
}
