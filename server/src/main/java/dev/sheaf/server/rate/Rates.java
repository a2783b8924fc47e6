package dev.sheaf.server.rate;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/// The rate limits of a node (contract 6). Thread-safe.
public final class Rates {
    /// The kinds of requests that are counted separately.
    public enum Kind {
        ANONYMOUS_READS,
        READS,
        WRITES,
        FAILED_AUTHENTICATIONS
    }

    /// Quotas per minute; 0 means no limit.
    ///
    /// @param anonymousReads requests without a credential, for each network
    /// @param reads reads for each credential
    /// @param writes writes for each credential
    /// @param failedAuthentications failed authentications for each network
    public record Quotas(long anonymousReads, long reads, long writes, long failedAuthentications) {
        public static final Quotas OFF = new Quotas(0, 0, 0, 0);
    }

    private final Map<Kind, LongAdder> refused = new EnumMap<>(Kind.class);
    private final LongSupplier nanos;
    private final boolean shared;
    private volatile List<Limiter> limiters;

    /// @param shared whether use is reported to other nodes
    public Rates(Quotas quotas, boolean shared) {
        this(quotas, shared, System::nanoTime);
    }

    /// @param nanos a clock that never goes back
    Rates(Quotas quotas, boolean shared, LongSupplier nanos) {
        this.nanos = nanos;
        this.shared = shared;
        this.limiters = limiters(quotas);
        for (Kind kind : Kind.values()) {
            refused.put(kind, new LongAdder());
        }
    }

    /// Changes the quotas from now on. The counts of unchanged quotas are kept.
    public synchronized void change(Quotas quotas) {
        var before = limiters;
        limiters = limiters(quotas).stream()
                .map(next -> before.stream()
                        .filter(known -> known.policy().equals(next.policy()))
                        .findFirst()
                        .orElse(next))
                .toList();
    }

    private List<Limiter> limiters(Quotas quotas) {
        return List.of( // in the order of the kinds
                new Limiter(new Policy("anonymous-reads", quotas.anonymousReads()), nanos, shared),
                new Limiter(new Policy("reads", quotas.reads()), nanos, shared),
                new Limiter(new Policy("writes", quotas.writes()), nanos, shared),
                new Limiter(new Policy("failed-authentications", quotas.failedAuthentications()), nanos, shared));
    }

    public Policy policy(Kind kind) {
        return limiter(kind).policy();
    }

    /// Counts a request; empty if there is no limit.
    public Optional<RateStanding> take(Kind kind, Holder holder) {
        var limiter = limiter(kind);
        if (limiter.policy().isOff()) {
            return Optional.empty();
        }
        var standing = limiter.take(holder);
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
    public Optional<RateStanding> standing(Kind kind, Holder holder) {
        var limiter = limiter(kind);
        return limiter.policy().isOff() ? Optional.empty() : Optional.of(limiter.standing(holder));
    }

    private Limiter limiter(Kind kind) {
        return limiters.get(kind.ordinal());
    }

    List<Limiter> limiters() {
        return limiters;
    }
}
