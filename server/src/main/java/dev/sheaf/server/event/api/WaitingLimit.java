package dev.sheaf.server.event.api;

import dev.sheaf.engine.net.RateHolder;
import dev.sheaf.model.Problem;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.http.message.Call;
import java.util.HashMap;
import java.util.Map;

/// Room for requests that wait for events or jobs. An organization, or a network without a credential, may use
/// at most four times as much room as it leaves to others. A single one can therefore use four fifths, and the
/// next one still finds room. Thread-safe.
public final class WaitingLimit {
    private static final int FOR_ONE_LEFT = 4;
    private static final long RETRY_SECONDS = 15;

    private final int most;
    private final Map<String, Integer> taken = new HashMap<>();
    private int all;

    public WaitingLimit(int most) {
        this.most = most;
    }

    /// A place for one waiting request, to be released.
    public final class Seat implements AutoCloseable {
        private final String holder;
        private boolean free;

        private Seat(String holder) {
            this.holder = holder;
        }

        @Override
        public void close() {
            synchronized (WaitingLimit.this) {
                if (!free) {
                    free = true;
                    all--;
                    taken.computeIfPresent(holder, (same, count) -> count == 1 ? null : count - 1);
                }
            }
        }
    }

    /// @throws dev.sheaf.model.ProblemException rate-limited if the caller holds as many seats as it may;
    /// service-unavailable if no seat is left
    public Seat take(Call call) {
        return take(
                call.caller() instanceof Caller.Known known
                        ? known.organizationId().toString()
                        : RateHolder.of(call.address()).toString());
    }

    synchronized Seat take(String holder) {
        int has = taken.getOrDefault(holder, 0);
        if (has >= FOR_ONE_LEFT * (most - all)) {
            throw has == 0
                    ? new Problem.Unavailable(
                                    "no more requests may wait on this node (max-followers); try again, or send this one"
                                            + " without waiting",
                                    RETRY_SECONDS)
                            .raise()
                    : new Problem.RateLimited(
                                    "followers",
                                    has + " of your requests are waiting on this node, the limit"
                                            + " (max-followers); end one of them, or send this one without waiting",
                                    RETRY_SECONDS)
                            .raise();
        }
        all++;
        taken.put(holder, has + 1);
        return new Seat(holder);
    }

    synchronized int taken() {
        return all;
    }
}
