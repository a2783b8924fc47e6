package dev.sheaf.server.rate;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// One policy, with a bucket for each holder that asked within the last minute; who did not has a full one.
/// Thread-safe. Takes no lock and makes no query.
final class Limiter {
    /// Beyond so many, the bucket of whoever asked least is forgotten, who then begins with a full one.
    private static final int MAX_HOLDERS = 100_000;

    /// What a holder took on this node is told to the others each time it comes to this share of the quota, so that
    /// those who ask seldom cost nothing.
    private static final long TOLD_IN = 50;

    /// What a holder took here since the other nodes were last told.
    record Use(Holder holder, long taken) {}

    private static final class Held {
        final Holder holder;
        final Bucket bucket;
        final AtomicLong untold = new AtomicLong();

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

    /// @param nanos a clock that never goes back
    /// @param shared whether other nodes are to be told what was taken
    Limiter(Policy policy, LongSupplier nanos, boolean shared) {
        this.policy = policy;
        this.shared = shared;
        this.tellAt = Math.max(1, policy.quota() / TOLD_IN);
        this.held = Caffeine.newBuilder()
                .maximumSize(MAX_HOLDERS)
                .expireAfterAccess(Policy.WINDOW_SECONDS, TimeUnit.SECONDS)
                .ticker(nanos::getAsLong)
                .build(holder -> new Held(holder, bucket(policy, nanos)));
    }

    private static Bucket bucket(Policy policy, LongSupplier nanos) {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(policy.quota())
                        .refillGreedy(policy.quota(), Duration.ofSeconds(Policy.WINDOW_SECONDS)))
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

    RateStanding take(Holder holder) {
        var one = held.get(holder);
        var probe = one.bucket.tryConsumeAndReturnRemaining(1);
        if (probe.isConsumed() && shared && one.untold.incrementAndGet() == tellAt) {
            toTell.add(one);
        }
        return new RateStanding(
                policy,
                probe.isConsumed(),
                Math.max(0, probe.getRemainingTokens()),
                Math.ceilDiv(probe.getNanosToWaitForRefill(), TimeUnit.SECONDS.toNanos(1)));
    }

    RateStanding standing(Holder holder) {
        var here = held.getIfPresent(holder);
        long remaining = here == null ? policy.quota() : Math.max(0, here.bucket.getAvailableTokens());
        long nanos = here == null ? 0 : here.bucket.estimateAbilityToConsume(1).getNanosToWaitForRefill();
        return new RateStanding(policy, remaining > 0, remaining, Math.ceilDiv(nanos, TimeUnit.SECONDS.toNanos(1)));
    }

    /// How many holders have a bucket.
    long size() {
        held.cleanUp();
        return held.estimatedSize();
    }

    /// What was taken on another node. It may leave less than nothing, which must come back first.
    void takenElsewhere(Use use) {
        held.get(use.holder()).bucket.consumeIgnoringRateLimits(Math.min(use.taken(), policy.quota()));
    }

    /// What the other nodes are to be told, at most `max` holders.
    List<Use> untold(int max) {
        var uses = new ArrayList<Use>();
        while (uses.size() < max && toTell.poll() instanceof Held one) {
            uses.add(new Use(one.holder, one.untold.getAndSet(0)));
        }
        return uses;
    }
}
