package dev.sheaf.server.http.policy;

import dev.sheaf.server.rate.RateStanding;
import java.util.concurrent.Semaphore;

/// Holds back answers to those who guess. A waiting answer costs its virtual thread and its connection; beyond
/// [#PLACES] of them the rest get their answers at once, since to refuse them would be to refuse others too.
/// Thread-safe.
final class GuessDelay {
    static final int PLACES = 256;
    private static final long FIRST_MILLIS = 50;
    private static final long MOST_MILLIS = 1_600;

    private final Semaphore places = new Semaphore(PLACES);

    /// How long the answer waits: not for the first quarter of the quota, then twice as long each time.
    static long millis(RateStanding standing) {
        long quota = standing.policy().quota();
        long counted = quota - standing.remaining() - Math.max(1, quota / 4);
        return counted <= 0 ? 0 : Math.min(MOST_MILLIS, FIRST_MILLIS << Math.min(counted - 1, 10));
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
