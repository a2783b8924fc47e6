package dev.sheaf.server.http.server;

import dev.sheaf.model.Problem;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.rate.Holder;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/// Bounds the bytes that requests hold in memory at one time: beyond it a request is told to come back, instead of the
/// process running out of memory. Nobody gets all of it: an organization three quarters; of what is sent, an address
/// without a credential an eighth, and all of those together a quarter; of what is worked on for them, half together,
/// so that whoever has no key takes nothing from those who have one. One such address gets an eighth of that, but its
/// first request as much as there is. A request that would not fit if it were alone is refused for good. Thread-safe.
public final class MemoryBudget {
    private static final int STRANGERS = 4;
    private static final int STRANGER = 8;
    private static final int WORK = 2; // for strangers

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
    public record Account(Holder holder, boolean known) {
        public static Account of(Caller caller, InetAddress address) {
            return caller instanceof Caller.Known known
                    ? new Account(new Holder.Credential(known.organizationId()), true)
                    : new Account(Holder.of(address), false);
        }
    }

    /// What a request's work takes.
    ///
    /// @param what its name in a refusal
    /// @param bytes of it
    /// @param copies of those that are in memory together
    public record Work(String what, long bytes, int copies) {
        long total() {
            return bytes > Long.MAX_VALUE / copies ? Long.MAX_VALUE : bytes * copies;
        }
    }

    /// Takes for what the caller sends, as it comes.
    ///
    /// @param mine what the same request holds already
    /// @throws dev.sheaf.model.ProblemException rate-limited where the bytes are not free now; payload-too-large
    /// where they never will be
    synchronized void take(Account account, long bytes, long mine) {
        long share = account.known() ? ofKnown() : total / STRANGER;
        if (bytes > share - mine) {
            throw new Problem.PayloadTooLarge("what this request takes of the node's memory", share).raise();
        }
        boolean crowded = !account.known() && sent + bytes > total / STRANGERS;
        take(account, bytes, share, crowded);
        sent += account.known() ? 0 : bytes;
    }

    /// Takes for what the service does for the caller.
    ///
    /// @param mine what the same request holds already
    /// @throws dev.sheaf.model.ProblemException as [#take]
    synchronized void takeForWork(Account account, Work work, long mine) {
        long bytes = work.total();
        long most = account.known() ? ofKnown() : total / WORK;
        if (bytes > most - mine) {
            throw new Problem.PayloadTooLarge(work.what(), Math.max(0, most - mine) / work.copies()).raise();
        }
        boolean first = held.getOrDefault(account.holder(), 0L) <= mine;
        boolean crowded = !account.known() && asked + bytes > total / WORK;
        take(account, bytes, account.known() || first ? most : total / STRANGER, crowded);
        asked += account.known() ? 0 : bytes;
    }

    private long ofKnown() {
        return total - total / 4;
    }

    private void take(Account account, long bytes, long share, boolean crowded) {
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
    public synchronized long used() {
        return used;
    }
}
