package dev.sheaf.server.http;

import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.rate.Standing;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// What one request counts as, and when. Bound to its thread.
final class Toll {
    private final Meter meter;
    private final InetAddress address;
    private Route.Cost owed = Route.Cost.FREE;
    private @Nullable Standing standing;

    Toll(Meter meter, InetAddress address) {
        this.meter = meter;
        this.address = address;
    }

    /// Counts the request.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited
    void count(Route.Cost cost, Caller caller) {
        meter.count(cost, caller, address).ifPresent(now -> {
            standing = now;
            if (!now.granted()) {
                throw Meter.refusal(now);
            }
        });
    }

    /// Leaves it to [#settle]: whoever only asks whether something is new is never refused (contract 1.1).
    void owe(Route.Cost cost) {
        owed = cost;
    }

    /// Called once when the answer is known and nothing is sent yet.
    ///
    /// @param unmodified whether it is 304
    void settle(boolean unmodified, Caller caller) {
        var cost = owed;
        owed = Route.Cost.FREE;
        if (!unmodified) {
            count(cost, caller);
        }
    }

    /// A credential was no good.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited where there were too many
    void failed() {
        meter.failed(address);
    }

    /// Refuses where so many credentials were no good that none is looked at any more.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited
    void mayFail() {
        meter.mayFail(address);
    }

    /// What is left to the caller; null where nothing was counted.
    @Nullable
    Standing standing() {
        return standing;
    }
}
