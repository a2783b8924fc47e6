package dev.sheaf.server.db;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Whether a node hears what others change. It sends itself beats by the same way that changes take; the time at which
/// the last one that came back was sent is the time up to which nothing can have been missed. Thread-safe.
final class Hearing {
    /// How long what was heard last is believed.
    static final Duration LIMIT = Duration.ofSeconds(2);

    private final Runnable forget;
    private final LongSupplier nanos;
    private long sent;
    private long heard;
    private volatile @Nullable Long heardAt;

    /// @param forget drops everything that is remembered
    /// @param nanos a clock as [System#nanoTime]
    Hearing(Runnable forget, LongSupplier nanos) {
        this.forget = forget;
        this.nanos = nanos;
    }

    /// The next beat, to be sent now.
    synchronized String beat() {
        sent++;
        return sent + " " + nanos.getAsLong();
    }

    /// A beat came back. Where one before it did not, or came too late, changes may have been missed as well: what is
    /// remembered is dropped before anybody believes it again.
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

    /// The line on which beats come back is gone.
    void lost() {
        heardAt = null;
    }

    boolean isCurrent() {
        Long at = heardAt;
        return at != null && nanos.getAsLong() - at < LIMIT.toNanos();
    }
}
