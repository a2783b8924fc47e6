package dev.sheaf.server.http.policy;

import dev.sheaf.model.Problem;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.rate.Holder;
import dev.sheaf.server.rate.RateStanding;
import dev.sheaf.server.rate.Rates;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Counts requests and failed authentications, and refuses requests over the limit. Thread-safe.
public final class RateCheck {
    public static final RateCheck OFF = new RateCheck(new Rates(Rates.Quotas.OFF));

    private final Rates rates;
    private final GuessDelay tarpit = new GuessDelay();

    public RateCheck(Rates rates) {
        this.rates = rates;
    }

    /// Counts a request; empty if no limit applies.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited
    Optional<RateStanding> count(Cost cost, Caller caller, InetAddress address) {
        if (cost == Cost.FREE) {
            return Optional.empty();
        }
        return rates.take(kind(cost, caller), holder(caller, address), cost.requests());
    }

    static RuntimeException refusal(RateStanding standing) {
        return refusal(
                standing, "too many requests (policy " + standing.policy().name() + ")");
    }

    private static RuntimeException refusal(RateStanding standing, String why) {
        long seconds = standing.waitSeconds();
        return new Problem.RateLimited(standing.policy().name(), why + "; try again in " + seconds + " s", seconds)
                .raise();
    }

    /// Returns whether the problem is that strangers have used up what one address may do.
    public static boolean isOfStrangers(Problem problem, Caller caller) {
        return caller instanceof Caller.Anonymous
                && problem instanceof Problem.RateLimited limited
                && (limited.policy().equals(Rates.Kind.ANONYMOUS_READS.policy())
                        || limited.policy().equals(Rates.Kind.CONTENT.policy()));
    }

    /// Counts a failed authentication and delays its answer, longer with each failure. A valid credential is
    /// never refused or delayed because of failures from the same address, so an attacker cannot lock out other
    /// clients behind it.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited after too many failures
    void failed(InetAddress address) {
        rates.take(Rates.Kind.FAILED_AUTHENTICATIONS, Holder.of(address)).ifPresent(standing -> {
            if (!standing.granted()) {
                throw refusal(
                        standing, "too many failed authentications from this address; a valid credential still works");
            }
            tarpit.hold(standing);
        });
    }

    /// Refuses an address that has used up its failed authentications. Counts nothing.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited
    void mayFail(InetAddress address) {
        rates.standing(Rates.Kind.FAILED_AUTHENTICATIONS, Holder.of(address))
                .filter(standing -> standing.remaining() < 1)
                .ifPresent(standing -> {
                    throw refusal(
                            standing,
                            "too many failed authentications from this address; passwords and codes are not"
                                    + " checked for now");
                });
    }

    /// Returns the standing under every policy that applies to the caller. Counts nothing.
    public List<RateStanding> standings(Caller caller, InetAddress address) {
        var kinds = caller instanceof Caller.Anonymous
                ? Stream.of(Rates.Kind.ANONYMOUS_READS, Rates.Kind.CONTENT)
                : Stream.of(Rates.Kind.READS, Rates.Kind.WRITES, Rates.Kind.CONTENT, Rates.Kind.RUNNER);
        var standings = new ArrayList<RateStanding>();
        kinds.forEach(kind -> rates.standing(kind, holder(caller, address)).ifPresent(standings::add));
        return standings;
    }

    private static Rates.Kind kind(Cost cost, Caller caller) {
        boolean isStranger = caller instanceof Caller.Anonymous && cost.kind() != Rates.Kind.CONTENT;
        return isStranger ? Rates.Kind.ANONYMOUS_READS : cost.kind();
    }

    /// Returns the holder for whom requests are counted: the credential, or the network of the address.
    public static Holder holder(Caller caller, InetAddress address) {
        return switch (caller) {
            case Caller.Known known -> new Holder.Credential(known.credential().id());
            case Caller.Anonymous ignored -> Holder.of(address);
        };
    }
}
