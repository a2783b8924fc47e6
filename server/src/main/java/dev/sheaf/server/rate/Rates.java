package dev.sheaf.server.rate;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/// The rate limits of a node (contract 6). Thread-safe.
public final class Rates {
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
        return Stream.of(Kind.values())
                .map(kind -> new Limiter(new Policy(kind.policy(), quotas.of(kind)), nanos, shared))
                .toList();
    }

    public Policy policy(Kind kind) {
        return limiter(kind).policy();
    }

    /// Counts one request; empty if there is no limit.
    public Optional<RateStanding> take(Kind kind, Holder holder) {
        return take(kind, holder, 1);
    }

    /// Counts a request; empty if there is no limit.
    ///
    /// @param requests for how many requests it counts: one, or a multiple of a tenth
    public Optional<RateStanding> take(Kind kind, Holder holder, double requests) {
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
