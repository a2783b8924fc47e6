package dev.sheaf.server.rate;

import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/// The rate limits of a node (contract 6). Thread-safe.
public final class Rates {
    /// What is counted.
    public enum Kind {
        ANONYMOUS_READS,
        READS,
        WRITES,
        FAILED_AUTHENTICATIONS
    }

    /// Quotas a minute; 0: no limit.
    ///
    /// @param anonymousReads for each network, of requests without a credential
    /// @param reads for each credential
    /// @param writes for each credential
    /// @param failedAuthentications for each network
    public record Quotas(long anonymousReads, long reads, long writes, long failedAuthentications) {
        public static final Quotas OFF = new Quotas(0, 0, 0, 0);
    }

    private final List<Limiter> limiters;

    /// @param shared whether other nodes are to be told what was taken
    public Rates(Quotas quotas, boolean shared) {
        this(quotas, shared, System::nanoTime);
    }

    /// @param nanos a clock that never goes back
    Rates(Quotas quotas, boolean shared, LongSupplier nanos) {
        this.limiters = List.of( // in the order of the kinds
                new Limiter(new Policy("anonymous-reads", quotas.anonymousReads()), nanos, shared),
                new Limiter(new Policy("reads", quotas.reads()), nanos, shared),
                new Limiter(new Policy("writes", quotas.writes()), nanos, shared),
                new Limiter(new Policy("failed-authentications", quotas.failedAuthentications()), nanos, shared));
    }

    public Policy policy(Kind kind) {
        return limiter(kind).policy();
    }

    /// Counts a request, or empty where there is no limit.
    public Optional<RateStanding> take(Kind kind, Holder holder) {
        var limiter = limiter(kind);
        return limiter.policy().isOff() ? Optional.empty() : Optional.of(limiter.take(holder));
    }

    /// What a holder has left, without counting anything.
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
