package dev.sheaf.server.http;

import dev.sheaf.model.Problem;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.rate.Holder;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/// Bounds the bytes that requests hold in memory at one time: beyond it a request is told to come back, instead of the
/// process running out of memory. Nobody gets all of it: an organization three quarters, an address without a
/// credential an eighth, and all of those together a quarter, so that whoever has no key takes nothing from those
/// who have one. What such an address asks for may be larger, one at a time. Thread-safe.
public final class MemoryBudget {
    private static final int STRANGERS = 4;
    private static final int STRANGER = 8;

    private final long total;
    private final Map<Holder, Long> held = new HashMap<>();
    private long used;
    private long sent; // by strangers
    private long asked;

    public MemoryBudget(long bytes) {
        this.total = bytes;
    }

    /// Who holds memory.
    ///
    /// @param known whether that is somebody with a credential
    record Account(Holder holder, boolean known) {
        static Account of(Caller caller, InetAddress address) {
            return caller instanceof Caller.Known known
                    ? new Account(new Holder.Credential(known.organizationId()), true)
                    : new Account(Holder.of(address), false);
        }
    }

    /// Takes for what the caller sends, as it comes.
    ///
    /// @throws dev.sheaf.model.ProblemException rate-limited where the bytes are not free now; payload-too-large
    /// where they never will be
    synchronized void take(Account account, long bytes) {
        boolean crowded = !account.known() && sent + bytes > total / STRANGERS;
        take(account, bytes, account.known() ? total - total / 4 : total / STRANGER, crowded);
        sent += account.known() ? 0 : bytes;
    }

    /// Takes for what the service does for the caller.
    ///
    /// @throws dev.sheaf.model.ProblemException as [#take]
    synchronized void takeForWork(Account account, long bytes) {
        boolean free = account.known() || !held.containsKey(account.holder());
        boolean crowded = !account.known() && asked > 0 && asked + bytes > total / 2;
        take(account, bytes, free ? total : total / STRANGER, crowded);
        asked += account.known() ? 0 : bytes;
    }

    private void take(Account account, long bytes, long share, boolean crowded) {
        if (bytes > share && (account.known() || bytes > total)) {
            throw new Problem.PayloadTooLarge("what this request takes of the node's memory", share).raise();
        }
        long all = held.getOrDefault(account.holder(), 0L) + bytes;
        if (used + bytes > total || all > share || crowded) {
            throw new Problem.RateLimited(
                            "memory", "there is too much content at once for this node's memory; try again in 1 s", 1)
                    .raise();
        }
        used += bytes;
        held.put(account.holder(), all);
    }

    /// @param arrived what was taken by [#take]
    /// @param worked what was taken by [#takeForWork]
    synchronized void giveBack(Account account, long arrived, long worked) {
        used -= arrived + worked;
        if (!account.known()) {
            sent -= arrived;
            asked -= worked;
        }
        held.computeIfPresent(
                account.holder(), (holder, all) -> all <= arrived + worked ? null : all - arrived - worked);
    }

    /// The bytes that are taken.
    synchronized long used() {
        return used;
    }
}
