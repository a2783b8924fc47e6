package dev.sheaf.server.rate;

import dev.sheaf.engine.net.RateHolder;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/// The rate limits of a node (contract 6): its share of those of the installation, because nodes do not know what
/// others
/// granted. Thread-safe.
public final class RateLimits {
    /// The kinds of requests that are counted separately.
    public enum Kind {
        ANONYMOUS_READS("anonymous-reads", "address"),
        READS("reads", "credential"),
        WRITES("writes", "credential"),
        CONTENT("content", "credential or address"),
        RUNNER("runner", "credential"),
        FAILED_AUTHENTICATIONS("failed-authentications", "address");

        private final String policy;
        private final String holder;

        Kind(String policy, String holder) {
            this.policy = policy;
            this.holder = holder;
        }

        /// Returns the name of the policy, as in the `RateLimit` fields.
        public String policy() {
            return policy;
        }

        /// Returns for whom they are counted: the credential, the address, or the address only without a credential.
        public String holder() {
            return holder;
        }
    }

    /// Quotas per minute; 0 means no limit.
    ///
    /// @param anonymousReads requests without a credential, for each network
    /// @param reads reads for each credential
    /// @param writes writes for each credential
    /// @param content requests for one file, blob or manifest, for each credential, or network without one
    /// @param runner calls of programs that work on jobs, for each credential
    /// @param failedAuthentications failed authentications for each network
    public record Quotas(
            long anonymousReads, long reads, long writes, long content, long runner, long failedAuthentications) {
        public static final Quotas OFF = new Quotas(0, 0, 0, 0, 0, 0);

        private long of(Kind kind) {
            return switch (kind) {
                case ANONYMOUS_READS -> anonymousReads;
                case READS -> reads;
                case WRITES -> writes;
                case CONTENT -> content;
                case RUNNER -> runner;
                case FAILED_AUTHENTICATIONS -> failedAuthentications;
            };
        }
    }

    private final Map<Kind, LongAdder> refused = new EnumMap<>(Kind.class);
    private final LongSupplier nanos;
    private Quotas quotas;
    private long nodes = 1;
    private volatile List<RateLimiter> limiters;

    public RateLimits(Quotas quotas) {
        this(quotas, System::nanoTime);
    }

    /// @param nanos a clock that never goes back
    RateLimits(Quotas quotas, LongSupplier nanos) {
        this.nanos = nanos;
        this.quotas = quotas;
        this.limiters = limiters(List.of());
        for (Kind kind : Kind.values()) {
            refused.put(kind, new LongAdder());
        }
    }

    /// Changes the quotas of the installation from now on. The counts of unchanged quotas are kept.
    public synchronized void change(Quotas changed) {
        quotas = changed;
        limiters = limiters(limiters);
    }

    /// Grants one of `count` shares of each quota from now on, at least one request. If that changes a share, all its
    /// holders start with a full bucket.
    public synchronized void share(long count) {
        if (count != nodes) {
            nodes = count;
            change(quotas);
        }
    }

    /// Returns how many nodes run, as [#share] was told.
    public synchronized long nodes() {
        return nodes;
    }

    private List<RateLimiter> limiters(List<RateLimiter> before) {
        return Stream.of(Kind.values())
                .map(kind -> share(kind.policy(), quotas.of(kind)))
                .map(policy -> before.stream()
                        .filter(known -> known.policy().equals(policy))
                        .findFirst()
                        .orElseGet(() -> new RateLimiter(policy, nanos)))
                .toList();
    }

    private RatePolicy share(String policy, long quota) {
        return new RatePolicy(policy, quota == 0 ? 0 : Math.max(1, quota / nodes));
    }

    /// Returns the quota of the installation, in requests a minute; 0 means no limit.
    public synchronized long quota(Kind kind) {
        return quotas.of(kind);
    }

    /// Returns the share of this node.
    public RatePolicy policy(Kind kind) {
        return limiter(kind).policy();
    }

    /// Counts one request; empty if there is no limit.
    public Optional<RateStanding> take(Kind kind, RateHolder holder) {
        return take(kind, holder, 1);
    }

    /// Counts a request; empty if there is no limit.
    ///
    /// @param requests for how many requests it counts: one, or a multiple of a tenth
    public Optional<RateStanding> take(Kind kind, RateHolder holder, double requests) {
        var limiter = limiter(kind);
        if (limiter.policy().isOff()) {
            return Optional.empty();
        }
        var standing = limiter.take(holder, requests);
        if (!standing.granted()) {
            counter(kind).increment();
        }
        return Optional.of(standing);
    }

    private LongAdder counter(Kind kind) {
        return Objects.requireNonNull(refused.get(kind)); // every kind has one
    }

    /// Returns how many requests were refused since the start, by the name of the policy.
    public Map<String, Double> refused() {
        var counts = new HashMap<String, Double>();
        for (Kind kind : Kind.values()) {
            counts.put(policy(kind).name(), counter(kind).doubleValue());
        }
        return counts;
    }

    /// Returns a holder's standing, without counting a request; empty if there is no limit.
    public Optional<RateStanding> standing(Kind kind, RateHolder holder) {
        var limiter = limiter(kind);
        return limiter.policy().isOff() ? Optional.empty() : Optional.of(limiter.standing(holder));
    }

    private RateLimiter limiter(Kind kind) {
        return limiters.get(kind.ordinal());
    }
}
