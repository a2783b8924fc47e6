package dev.sheaf.server.rate;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.sheaf.engine.net.RateHolder;
import dev.sheaf.server.heap.HeapShare;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Enforces one policy. It keeps a bucket for each holder that has sent a request in the last window; other
/// holders start with a full bucket. Uses no locks and no database. Thread-safe.
public final class RateLimiter {
    /// The limit of buckets. Above it, the least used bucket is dropped, and its holder starts again with a
    /// full one.
    private static final int MAX_HOLDERS = HeapShare.RATES.entries(RateLimits.Kind.values().length + 1, 300);

    /// The tokens of one request. Some requests count for a tenth of one.
    private static final long TOKENS = 10;

    private final RatePolicy policy;
    private final LoadingCache<RateHolder, Bucket> buckets;

    /// @param nanos a clock that never goes back
    public RateLimiter(RatePolicy policy, LongSupplier nanos) {
        this.policy = policy;
        this.buckets = Caffeine.newBuilder()
                .maximumSize(MAX_HOLDERS)
                .expireAfterAccess(policy.windowSeconds(), TimeUnit.SECONDS)
                .ticker(nanos::getAsLong)
                .build(holder -> bucket(policy, nanos));
    }

    private static Bucket bucket(RatePolicy policy, LongSupplier nanos) {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(TOKENS * policy.quota())
                        .refillGreedy(TOKENS * policy.quota(), Duration.ofSeconds(policy.windowSeconds())))
                .withCustomTimePrecision(new TimeMeter() {
                    @Override
                    public long currentTimeNanos() {
                        return nanos.getAsLong();
                    }

                    @Override
                    public boolean isWallClockBased() {
                        return false;
                    }
                })
                .build();
    }

    RatePolicy policy() {
        return policy;
    }

    /// @param requests for how many requests it counts: one, or a multiple of a tenth
    public RateStanding take(RateHolder holder, double requests) {
        var probe = buckets.get(holder).tryConsumeAndReturnRemaining(Math.round(requests * TOKENS));
        return new RateStanding(
                policy,
                probe.isConsumed(),
                Math.max(0, probe.getRemainingTokens() / TOKENS),
                Math.ceilDiv(probe.getNanosToWaitForRefill(), TimeUnit.SECONDS.toNanos(1)));
    }

    RateStanding standing(RateHolder holder) {
        var here = buckets.getIfPresent(holder);
        long remaining = here == null ? policy.quota() : Math.max(0, here.getAvailableTokens() / TOKENS);
        long nanos = here == null ? 0 : here.estimateAbilityToConsume(TOKENS).getNanosToWaitForRefill();
        return new RateStanding(policy, remaining > 0, remaining, Math.ceilDiv(nanos, TimeUnit.SECONDS.toNanos(1)));
    }

    /// Returns how many holders have a bucket.
    long size() {
        buckets.cleanUp();
        return buckets.estimatedSize();
    }
}
