package dev.sheaf.server.rate;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// So much of something in any day for each organization, on this node. Thread-safe.
public final class Allowance {
    private static final int HOLDERS = 100_000;
    private static final Duration DAY = Duration.ofDays(1);

    private final long aDay;
    private final LoadingCache<UUID, Bucket> buckets;

    public Allowance(long aDay) {
        this.aDay = aDay;
        this.buckets = Caffeine.newBuilder()
                .maximumSize(HOLDERS)
                .expireAfterAccess(DAY)
                .build(holder -> Bucket.builder()
                        .addLimit(limit -> limit.capacity(aDay).refillGreedy(aDay, DAY))
                        .build());
    }

    /// Takes so much where there is as much. Who wants more than a whole day's gets it for all of that.
    ///
    /// @return in how many seconds there is as much; 0: it is taken
    public long take(UUID organization, long amount) {
        if (amount <= 0) {
            return 0;
        }
        var probe = buckets.get(organization).tryConsumeAndReturnRemaining(Math.min(amount, aDay));
        return probe.isConsumed()
                ? 0
                : Math.max(1, Math.ceilDiv(probe.getNanosToWaitForRefill(), TimeUnit.SECONDS.toNanos(1)));
    }
}
