package dev.sheaf.server.rate;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.sheaf.server.heap.HeapShare;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Enforces one policy. It keeps a bucket for each holder that has sent a request in the last minute; other
/// holders start with a full bucket. Uses no locks and no database. Thread-safe.
final class Limiter {
    /// The limit of buckets. Above it, the least used bucket is dropped, and its holder starts again with a
    /// full one.
    private static final int MAX_HOLDERS = HeapShare.RATES.entries(Rates.Kind.values().length, 300);

    /// The tokens of one request. Some requests count for a tenth of one.
    private static final long TOKENS = 10;

    /// A holder's use is reported to other nodes when it reaches this fraction (one fiftieth) of the quota, so
    /// that holders with few requests cause no reports.
    private static final long TOLD_IN = 50;

    /// The use of a holder on this node since the last report to other nodes.
    ///
    /// @param taken in requests
    record Use(Holder holder, long taken) {}

    private static final class Held {
        final Holder holder;
        final Bucket bucket;
        final AtomicLong untold = new AtomicLong(); // in tokens

        Held(Holder holder, Bucket bucket) {
            this.holder = holder;
            this.bucket = bucket;
        }
    }

    private final Policy policy;
    private final long tellAt;
    private final boolean shared;
    private final LoadingCache<Holder, Held> held;
    private final ConcurrentLinkedQueue<Held> toTell = new ConcurrentLinkedQueue<>();
    private volatile boolean used;

    /// @param nanos a clock that never goes back
    /// @param shared whether use is reported to other nodes
    Limiter(Policy policy, LongSupplier nanos, boolean shared) {
        this.policy = policy;
        this.shared = shared;
        this.tellAt = TOKENS * Math.max(1, policy.quota() / TOLD_IN);
        this.held = Caffeine.newBuilder()
                .maximumSize(MAX_HOLDERS)
                .expireAfterAccess(Policy.WINDOW_SECONDS, TimeUnit.SECONDS)
                .ticker(nanos::getAsLong)
                .build(holder -> new Held(holder, bucket(policy, nanos)));
    }

    private static Bucket bucket(Policy policy, LongSupplier nanos) {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(TOKENS * policy.quota())
                        .refillGreedy(TOKENS * policy.quota(), Duration.ofSeconds(Policy.WINDOW_SECONDS)))
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

    Policy policy() {
        return policy;
    }

    /// Returns whether there were requests since the last call.
    boolean isUsed() {
        boolean was = used;
        used = false;
        return was;
    }

    /// @param requests for how many requests it counts: one, or a multiple of a tenth
    RateStanding take(Holder holder, double requests) {
        if (!used) {
            used = true;
        }
        var one = held.get(holder);
        long tokens = Math.round(requests * TOKENS);
        var probe = one.bucket.tryConsumeAndReturnRemaining(tokens);
        if (probe.isConsumed() && shared) {
            long before = one.untold.getAndAdd(tokens);
            if (before < tellAt && before + tokens >= tellAt) {
                toTell.add(one);
            }
        }
        return new RateStanding(
                policy,
                probe.isConsumed(),
                Math.max(0, probe.getRemainingTokens() / TOKENS),
                Math.ceilDiv(probe.getNanosToWaitForRefill(), TimeUnit.SECONDS.toNanos(1)));
    }

    RateStanding standing(Holder holder) {
        var here = held.getIfPresent(holder);
        long remaining = here == null ? policy.quota() : Math.max(0, here.bucket.getAvailableTokens() / TOKENS);
        long nanos =
                here == null ? 0 : here.bucket.estimateAbilityToConsume(TOKENS).getNanosToWaitForRefill();
        return new RateStanding(policy, remaining > 0, remaining, Math.ceilDiv(nanos, TimeUnit.SECONDS.toNanos(1)));
    }

    /// Returns how many holders have a bucket.
    long size() {
        held.cleanUp();
        return held.estimatedSize();
    }

    /// Subtracts the use on another node. The bucket may become negative; then it must refill first.
    void takenElsewhere(Use use) {
        held.get(use.holder()).bucket.consumeIgnoringRateLimits(TOKENS * Math.min(use.taken(), policy.quota()));
    }

    /// Returns the use that was not yet reported to other nodes, of at most `max` holders.
    List<Use> untold(int max) {
        var uses = new ArrayList<Use>();
        while (uses.size() < max && toTell.poll() instanceof Held one) {
            uses.add(new Use(one.holder, Math.ceilDiv(one.untold.getAndSet(0), TOKENS)));
        }
        return uses;
    }
}
