package dev.sheaf.engine.http;

import dev.sheaf.engine.net.RateHolder;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Throttle;
import java.util.HashMap;
import java.util.Map;

/// Limits how many requests wait for events or jobs, each of which holds a connection. An organization, or a network
/// without a credential, may use at most four times as much room as it leaves to others. A single one can therefore use
/// four fifths, and the next one still finds room. Thread-safe.
public final class WaitingLimit {
    private static final int FOR_ONE_LEFT = 4;
    private static final long RETRY_SECONDS = 15;

    private final int most;
    private final Map<RateHolder, Integer> taken = new HashMap<>();
    private int all;

    public WaitingLimit(int most) {
        this.most = most;
    }

    /// A place for one waiting request, to be released.
    public final class Seat implements AutoCloseable {
        private final RateHolder holder;
        private boolean free;

        private Seat(RateHolder holder) {
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

    /// @param holder the organization, or the network of a caller without a credential
    /// @throws dev.sheaf.model.ProblemException rate-limited if the holder has as many seats as it may;
    /// service-unavailable if no seat is left
    public synchronized Seat take(RateHolder holder) {
        int has = taken.getOrDefault(holder, 0);
        if (has >= FOR_ONE_LEFT * (most - all)) {
            throw has == 0
                    ? new Problem.Unavailable(
                                    Throttle.CONNECTIONS,
                                    "no more requests may wait on this node (max-followers); try again, or send this one"
                                            + " without waiting",
                                    RETRY_SECONDS)
                            .raise()
                    : new Problem.RateLimited(
                                    Throttle.CONNECTIONS,
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
