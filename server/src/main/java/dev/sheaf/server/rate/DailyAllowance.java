package dev.sheaf.server.rate;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.sheaf.server.heap.HeapShare;
import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// A daily allowance for each organization, counted on this node. Thread-safe.
public final class DailyAllowance {
    private static final int HOLDERS = HeapShare.ORGANIZATIONS.entries(6, 200 + HeapShare.ENTRY);
    private static final Duration DAY = Duration.ofDays(1);

    private final long aDay;
    private final LoadingCache<UUID, Bucket> buckets;

    public DailyAllowance(long aDay) {
        this.aDay = aDay;
        this.buckets = Caffeine.newBuilder()
                .maximumSize(HOLDERS)
                .expireAfterAccess(DAY)
                .build(holder -> Bucket.builder()
                        .addLimit(limit -> limit.capacity(aDay).refillGreedy(aDay, DAY))
                        .build());
    }

    /// Takes the amount if enough of the allowance is left. An amount above the whole daily allowance takes all
    /// of it.
    ///
    /// @return 0 if the amount was taken; otherwise the seconds until enough is left
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
