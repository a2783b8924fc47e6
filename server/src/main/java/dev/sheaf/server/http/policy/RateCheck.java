package dev.sheaf.server.http.policy;

import dev.sheaf.engine.net.RateHolder;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Throttle;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.rate.RateLimits;
import dev.sheaf.server.rate.RateStanding;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Counts requests and failed authentications, and refuses requests over the limit. Thread-safe.
public final class RateCheck {
    public static final RateCheck OFF = new RateCheck(new RateLimits(RateLimits.Quotas.OFF));

    private static final String GUESSED = "too many failed authentications from this address";

    private final RateLimits rates;
    private final GuessDelay tarpit = new GuessDelay();

    public RateCheck(RateLimits rates) {
        this.rates = rates;
    }

    /// Counts a request; empty if no limit applies.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited
    Optional<RateStanding> count(RequestCost cost, Caller caller, InetAddress address) {
        if (cost == RequestCost.FREE) {
            return Optional.empty();
        }
        return rates.take(kind(cost, caller), holder(caller, address), cost.requests());
    }

    static RuntimeException refusal(RateStanding standing) {
        return refusal(Throttle.RATE, standing, "too many requests", "");
    }

    private static RuntimeException refusal(Throttle throttle, RateStanding standing, String what, String then) {
        String policy = standing.policy().name();
        long seconds = standing.waitSeconds();
        return new Problem.RateLimited(
                        throttle,
                        policy,
                        what + " (rate-" + policy + ")" + then + "; try again in " + seconds + " s",
                        seconds)
                .raise();
    }

    /// Returns whether the problem is that strangers have used up what one address may do.
    public static boolean isOfStrangers(Problem problem, Caller caller) {
        return caller instanceof Caller.Anonymous
                && problem instanceof Problem.RateLimited limited
                && (limited.policy().equals(RateLimits.Kind.ANONYMOUS_READS.policy())
                        || limited.policy().equals(RateLimits.Kind.CONTENT.policy()));
    }

    /// Counts a failed authentication and delays its answer, longer with each failure. A valid credential is
    /// never refused or delayed because of failures from the same address, so an attacker cannot lock out other
    /// clients behind it.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited after too many failures
    void failed(InetAddress address) {
        rates.take(RateLimits.Kind.FAILED_AUTHENTICATIONS, RateHolder.of(address))
                .ifPresent(standing -> {
                    if (!standing.granted()) {
                        throw refusal(Throttle.GUESSES, standing, GUESSED, "; a valid credential still works");
                    }
                    tarpit.hold(standing);
                });
    }

    /// Refuses an address that has used up its failed authentications. Counts nothing.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited
    void mayFail(InetAddress address) {
        rates.standing(RateLimits.Kind.FAILED_AUTHENTICATIONS, RateHolder.of(address))
                .filter(standing -> standing.remaining() < 1)
                .ifPresent(standing -> {
                    throw refusal(Throttle.GUESSES, standing, GUESSED, "; passwords and codes are not checked for now");
                });
    }

    /// Returns the standing under every policy that applies to the caller. Counts nothing.
    public List<RateStanding> standings(Caller caller, InetAddress address) {
        var kinds = caller instanceof Caller.Anonymous
                ? Stream.of(RateLimits.Kind.ANONYMOUS_READS, RateLimits.Kind.CONTENT)
                : Stream.of(
                        RateLimits.Kind.READS, RateLimits.Kind.WRITES, RateLimits.Kind.CONTENT, RateLimits.Kind.RUNNER);
        var standings = new ArrayList<RateStanding>();
        kinds.forEach(kind -> rates.standing(kind, holder(caller, address)).ifPresent(standings::add));
        return standings;
    }

    private static RateLimits.Kind kind(RequestCost cost, Caller caller) {
        boolean isStranger = caller instanceof Caller.Anonymous && cost.kind() != RateLimits.Kind.CONTENT;
        return isStranger ? RateLimits.Kind.ANONYMOUS_READS : cost.kind();
    }

    /// Returns the holder for whom requests are counted: the credential, or the network of the address.
    public static RateHolder holder(Caller caller, InetAddress address) {
        return switch (caller) {
            case Caller.Known known ->
                new RateHolder.Credential(known.credential().id());
            case Caller.Anonymous ignored -> RateHolder.of(address);
        };
    }
}
