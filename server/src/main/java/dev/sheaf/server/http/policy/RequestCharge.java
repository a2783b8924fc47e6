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

/// Decides how and when a request counts under rate limits. Bound to its thread.
public final class RequestCharge {
    private final RateCheck meter;
    private final InetAddress address;
    private RequestCost owed = RequestCost.FREE;
    private @Nullable RateStanding standing;

    public RequestCharge(RateCheck meter, InetAddress address) {
        this.meter = meter;
        this.address = address;
    }

    /// Counts the request.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited
    public void count(RequestCost cost, Caller caller) {
        meter.count(cost, caller, address).ifPresent(now -> {
            standing = now;
            if (!now.granted()) {
                throw RateCheck.refusal(now);
            }
        });
    }

    /// Counts the request. A conditional read, of any cost, is only counted at [#settle], so that it is never refused
    /// if nothing has changed (contract 1.1). Handlers call [#pay] before expensive work.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited
    public void count(RequestCost cost, Caller caller, boolean conditional) {
        if (cost != RequestCost.FREE && conditional) {
            owed = cost;
        } else {
            count(cost, caller);
        }
    }

    /// Counts a conditional read now.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited
    public void pay(Caller caller) {
        settle(false, caller);
    }

    /// Counts a conditional read at its end. Called once, when the answer is known and nothing is sent yet.
    ///
    /// @param unmodified whether the answer is 304
    public void settle(boolean unmodified, Caller caller) {
        var cost = owed;
        owed = RequestCost.FREE;
        if (!unmodified) {
            count(cost, caller);
        }
    }

    /// Runs an authentication and counts its failure.
    ///
    /// @throws ProblemException as `authentication`; rate-limited after too many failures
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

    /// Counts a failed authentication.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited after too many failures
    private void failed() {
        meter.failed(address);
    }

    /// Refuses the address if it had so many failures that its credentials are no longer checked.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited
    public void mayFail() {
        meter.mayFail(address);
    }

    /// Returns the caller's standing; null if nothing was counted.
    @Nullable
    public RateStanding standing() {
        return standing;
    }
}
