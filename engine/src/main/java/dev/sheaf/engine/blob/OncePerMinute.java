package dev.sheaf.engine.blob;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/// Decides what is written into the log: the failure of an object once a minute, because many requests may ask for one
/// damaged object. Thread-safe.
public final class OncePerMinute {
    private static final long MINUTE_NANOS = 60_000_000_000L;
    private static final int REMEMBERED = 1_000;

    private final LongSupplier nanos;
    private final Map<String, Long> written = new LinkedHashMap<>();

    public OncePerMinute() {
        this(System::nanoTime);
    }

    /// @param nanos a clock like [System#nanoTime]
    OncePerMinute(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /// Returns whether this was not asked about the same failure within the last minute.
    public synchronized boolean isDue(String failure) {
        long now = nanos.getAsLong();
        var before = written.get(failure);
        if (before != null && now - before < MINUTE_NANOS) {
            return false;
        }
        written.remove(failure);
        if (written.size() == REMEMBERED) {
            written.remove(written.keySet().iterator().next());
        }
        written.put(failure, now);
        return true;
    }
}
