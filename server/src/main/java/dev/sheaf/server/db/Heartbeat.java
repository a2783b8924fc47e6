package dev.sheaf.server.db;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Tracks whether a node receives the changes of other nodes. It sends itself beats over the same channel as
/// changes. No change sent before the last returned beat was sent can have been missed. Thread-safe.
final class Heartbeat {
    /// How long after the last returned beat the channel counts as working.
    static final Duration LIMIT = Duration.ofSeconds(2);

    private final Runnable forget;
    private final LongSupplier nanos;
    private long sent;
    private long heard;
    private volatile @Nullable Long heardAt;

    /// @param forget drops everything that is cached
    /// @param nanos a clock like [System#nanoTime]
    Heartbeat(Runnable forget, LongSupplier nanos) {
        this.forget = forget;
        this.nanos = nanos;
    }

    /// Returns the next beat, to be sent now.
    synchronized String beat() {
        sent++;
        return sent + " " + nanos.getAsLong();
    }

    /// Notes a beat that came back. If an earlier beat is missing or late, changes may have been missed too, so
    /// the caches are dropped before they are used again.
    synchronized void heard(String beat) {
        int space = beat.indexOf(' ');
        long number = Long.parseLong(beat.substring(0, space));
        long at = Long.parseLong(beat.substring(space + 1));
        if (number != heard + 1 || !isCurrent()) {
            forget.run();
        }
        heard = number;
        heardAt = at;
    }

    /// Notes that the connection on which beats come back is closed.
    void lost() {
        heardAt = null;
    }

    boolean isCurrent() {
        Long at = heardAt;
        return at != null && nanos.getAsLong() - at < LIMIT.toNanos();
    }
}
