package dev.sheaf.client.work;

import dev.sheaf.client.api.SheafException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/// Waits that grow to half a minute, with jitter, so that workers do not all retry at the same moment. Use an
/// instance from one thread.
final class ClaimBackoff {
    private static final long FIRST_MILLIS = 500;
    private static final int DOUBLINGS = 6;

    private int failures;

    /// Returns whether a failure may be temporary.
    static boolean isTemporary(SheafException failure) {
        return switch (failure) {
            case SheafException.Network network -> !network.isLasting();
            case SheafException.RateLimited limited -> true;
            case SheafException.Server server -> server.status() != 501;
            default -> failure.status() == 408;
        };
    }

    void succeeded() {
        failures = 0;
    }

    /// Returns the wait before the next request: at least as long as the registry asks, up to five minutes.
    Duration after(SheafException failure) {
        var asked = failure.retryAfter().orElse(Duration.ZERO);
        var longest = Duration.ofMinutes(5);
        var own = next();
        var least = asked.compareTo(longest) < 0 ? asked : longest;
        return own.compareTo(least) > 0
                ? own
                : least.plusMillis(ThreadLocalRandom.current().nextLong(1_000));
    }

    /// Returns the next wait.
    Duration next() {
        long whole = FIRST_MILLIS << Math.min(failures++, DOUBLINGS);
        return Duration.ofMillis(whole / 2 + ThreadLocalRandom.current().nextLong(whole / 2 + 1));
    }
}
