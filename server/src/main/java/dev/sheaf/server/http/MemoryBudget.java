package dev.sheaf.server.http;

import dev.sheaf.model.Problem;
import dev.sheaf.server.rate.Holder;
import java.util.HashMap;
import java.util.Map;

/// Bounds the bytes that requests hold in memory at one time: beyond it a request is told to come back, instead of the
/// process running out of memory. Nobody gets all of it: an organization three quarters, an address without a
/// credential an eighth, and all of those together a quarter, so that whoever has no key takes nothing from those
/// who have one. Thread-safe.
public final class MemoryBudget {
    private static final int KNOWN_OF_4 = 3;
    private static final int STRANGERS = 4;
    private static final int STRANGER = 8;

    private final long total;
    private final Map<Holder, Long> held = new HashMap<>();
    private long used;
    private long strange;

    public MemoryBudget(long bytes) {
        this.total = bytes;
    }

    /// What one request holds.
    ///
    /// @param known whether the holder has a credential
    record Account(Holder holder, boolean known) {}

    /// Takes for what the caller sends, as it comes.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited where the bytes are not free now; payload-too-large
    /// where they never will be
    void take(Account account, long bytes) {
        take(account, bytes, account.known() ? total / 4 * KNOWN_OF_4 : total / STRANGER);
    }

    /// Takes for what the service does for the caller, who may have asked for much at one time, but not for much
    /// many times.
    ///
    /// @throws dev.sheaf.model.ProblemException as [#take]
    void takeForWork(Account account, long bytes) {
        take(account, bytes, isFree(account) ? total : total / STRANGER);
    }

    private synchronized boolean isFree(Account account) {
        return account.known() || !held.containsKey(account.holder());
    }

    private synchronized void take(Account account, long bytes, long share) {
        if (bytes > share) {
            throw new Problem.PayloadTooLarge("what this request takes of the node's memory", share).raise();
        }
        long before = held.getOrDefault(account.holder(), 0L);
        boolean crowded = !account.known() && share < total && strange + bytes > total / STRANGERS;
        if (used + bytes > total || before + bytes > share || crowded) {
            throw new Problem.RateLimited(
                            "memory", "there is too much content at once for this node's memory; try again in 1 s", 1)
                    .raise();
        }
        used += bytes;
        strange += account.known() ? 0 : bytes;
        held.put(account.holder(), before + bytes);
    }

    synchronized void giveBack(Account account, long bytes) {
        used -= bytes;
        strange -= account.known() ? 0 : bytes;
        held.computeIfPresent(account.holder(), (holder, all) -> all <= bytes ? null : all - bytes);
    }

    /// The bytes that are taken.
    synchronized long used() {
        return used;
    }
}
