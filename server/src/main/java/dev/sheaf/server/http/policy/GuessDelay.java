package dev.sheaf.server.http.policy;

import dev.sheaf.server.rate.RateStanding;
import java.util.concurrent.Semaphore;

/// Delays answers to callers who guess credentials. A delayed answer occupies a virtual thread and a
/// connection, so at most [#PLACES] answers are delayed at the same time; further ones are sent immediately.
/// Thread-safe.
final class GuessDelay {
    static final int PLACES = 256;
    private static final long FIRST_MILLIS = 50;
    private static final long MAX_MILLIS = 1_600;

    private final Semaphore places = new Semaphore(PLACES);

    /// Returns the delay: zero for the first quarter of the quota, then twice as long with each failure.
    static long millis(RateStanding standing) {
        long quota = standing.policy().quota();
        long counted = quota - standing.remaining() - Math.max(1, quota / 4);
        return counted <= 0 ? 0 : Math.min(MAX_MILLIS, FIRST_MILLIS << Math.min(counted - 1, 10));
    }

    void hold(RateStanding standing) {
        long millis = millis(standing);
        if (millis > 0 && places.tryAcquire()) {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                places.release();
            }
        }
    }
}
