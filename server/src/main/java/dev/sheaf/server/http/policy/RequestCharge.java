package dev.sheaf.server.http.policy;

import dev.sheaf.model.OAuthError;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.rate.RateStanding;
import java.net.InetAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What one request counts as, and when. Bound to its thread.
public final class RequestCharge {
    private final RateCheck meter;
    private final InetAddress address;
    private Cost owed = Cost.FREE;
    private @Nullable RateStanding standing;

    public RequestCharge(RateCheck meter, InetAddress address) {
        this.meter = meter;
        this.address = address;
    }

    /// Counts the request.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited
    public void count(Cost cost, Caller caller) {
        meter.count(cost, caller, address).ifPresent(now -> {
            standing = now;
            if (!now.granted()) {
                throw RateCheck.refusal(now);
            }
        });
    }

    /// Counts the request, and a read that only asks whether something is new at [#settle]: it is never refused
    /// where nothing is (contract 1.1). What costs much to answer calls [#pay] before.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited
    public void count(Cost cost, Caller caller, boolean conditional) {
        if (cost == Cost.READ && conditional) {
            owed = cost;
        } else {
            count(cost, caller);
        }
    }

    /// Counts the request where that was put off.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited
    public void pay(Caller caller) {
        settle(false, caller);
    }

    /// Called once when the answer is known and nothing is sent yet.
    ///
    /// @param unmodified whether it is 304
    public void settle(boolean unmodified, Caller caller) {
        var cost = owed;
        owed = Cost.FREE;
        if (!unmodified) {
            count(cost, caller);
        }
    }

    /// What a credential is good for. One that is no good counts.
    ///
    /// @throws ProblemException as `authentication`; rate-limited where too many failed
    public <T> T identified(Supplier<T> authentication) {
        try {
            return authentication.get();
        } catch (ProblemException e) {
            if (isNoGood(e.problem())) {
                failed();
            }
            throw e;
        }
    }

    private static boolean isNoGood(Problem problem) {
        return switch (problem) {
            case Problem.Unauthenticated refused -> refused.fault() != CredentialFault.MISSING;
            case Problem.TokenRefused refused -> refused.error() == OAuthError.INVALID_GRANT;
            default -> false;
        };
    }

    /// A credential was no good.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited where there were too many
    private void failed() {
        meter.failed(address);
    }

    /// Refuses where so many credentials were no good that none is looked at any more.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited
    public void mayFail() {
        meter.mayFail(address);
    }

    /// What is left to the caller; null where nothing was counted.
    @Nullable
    public RateStanding standing() {
        return standing;
    }
}
